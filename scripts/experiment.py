#!/usr/bin/env python
"""Trains the reference solutions on Fashion-MNIST and writes docs/results/experiments.md.  See --help."""

import contextlib
import itertools
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from experiment_table import Run, book_choice, page
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

ROOT = Path(__file__).resolve().parent.parent
WORKER = ROOT / "scripts" / "train_reference.py"


class Engine(StrEnum):
    """Those whose assignments train with several devices."""

    MXNET = "mxnet"
    TORCH = "torch"

    @property
    def python(self) -> Path:
        """The interpreter of its environment."""
        return ROOT / f".venv-{self}" / "bin" / "python"


class Model(StrEnum):
    """The networks of the notebooks."""

    LENET = "lenet"
    RESNET18 = "resnet18"


class WorkerFailed(Exception):
    """The training ended with an error; the text is its last line and the name of the log."""


def choose(engine: Engine, model: Model, devices: int, batch_size: int | None) -> dict[str, Any]:
    """The book's batch size and learning rate, or another batch size, which scales the learning rate with it."""
    base, rate = book_choice(model, devices)
    size = batch_size or base
    chosen = {"engine": engine.value, "model": model.value, "devices": devices}
    return {**chosen, "batch_size": size, "lr": rate * size / base}


def messages(settings: dict[str, Any], folder: Path) -> Iterator[dict[str, Any]]:
    """Train in the engine's environment; yield what the training reports.  Raises WorkerFailed."""
    folder.mkdir(parents=True, exist_ok=True)
    # During grading, the loader reads the small data set, which is not wanted here. One thread for each device, as in
    # grading: with more, two CPU devices that multiply matrices at once block each other forever (OpenBLAS).
    environment = {name: value for name, value in os.environ.items() if name != "NBGRADER_EXECUTION"}
    environment["OMP_NUM_THREADS"] = "1"
    command = [str(Engine(settings["engine"]).python), str(WORKER), json.dumps(settings), str(folder)]
    log = folder / "log.txt"
    with (
        log.open("w", encoding="utf-8") as errors,
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=errors, text=True) as worker,
    ):
        try:
            assert worker.stdout is not None
            yield from map(json.loads, worker.stdout)
        except BaseException:
            worker.kill()
            raise
    if worker.returncode:
        lines = log.read_text(encoding="utf-8").split("\n")
        last = next((line for line in reversed(lines) if line.strip()), f"exit status {worker.returncode}")
        raise WorkerFailed(f"{last} (all of it is in {log})")


def train(screen: Console, settings: dict[str, Any], folder: Path) -> None:
    """Train one model on this many devices, with a progress bar and a line for each epoch. Raises WorkerFailed."""
    name = f"{settings['engine']} {settings['model']}, {settings['devices']} device{'s' * (settings['devices'] > 1)}"
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=screen,
        transient=True,
        disable=not screen.is_terminal,
    )
    with contextlib.closing(messages(settings, folder)) as reports, bar:
        task = bar.add_task(f"{name}, starting", total=None)
        for message in reports:
            if (epoch := message.get("epoch")) is None:
                number, done = message["epoch_number"], message["batches_done"]
                if done == 1:
                    bar.reset(task, description=f"{name}, epoch {number}", total=message["batches"])
                bar.update(task, completed=done)
                if done == message["batches"]:
                    bar.update(task, description=f"{name}, epoch {number}, test")
            else:
                screen.print(
                    f"{name}: epoch {epoch['number']}, {epoch['batches']} of {epoch['batches_of_epoch']} batches, "
                    f"time {epoch['seconds']:.1f} sec, test acc {epoch['accuracy']:.2f}",
                    highlight=False,
                )


def experiment(
    engine: Annotated[list[Engine] | None, typer.Option(help="Only this engine. Default: both.")] = None,
    model: Annotated[list[Model] | None, typer.Option(help="Only this model. Default: both.")] = None,
    devices: Annotated[str, typer.Option(help="The numbers of devices to train on, separated by commas.")] = "1,2",
    epochs: Annotated[int, typer.Option(min=1)] = 4,
    batch_size: Annotated[
        int | None, typer.Option(min=1, help="Batch size of all devices together. Default: the book's.")
    ] = None,
    limit_batches: Annotated[
        int | None, typer.Option(min=1, help="Train with at most this many batches in each epoch.")
    ] = None,
    limit_test_batches: Annotated[int | None, typer.Option(min=1, help="Test with at most this many batches.")] = None,
    max_minutes: Annotated[
        float | None, typer.Option(min=0, help="Stop each training after this many minutes, at the end of a batch.")
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(exists=True, file_okay=False, help="The folder of Fashion-MNIST. Default: the usual places."),
    ] = None,
    out: Annotated[Path, typer.Option(help="The page to write.")] = ROOT / "docs" / "results" / "experiments.md",
    keep: Annotated[Path, typer.Option(help="The folder that keeps the results of epochs.")] = ROOT / ".experiments",
) -> None:
    """Train the reference solutions on Fashion-MNIST and write the table next to the book's figures.

    Each epoch is saved. The same command continues after the last one, and so does a command with more epochs; with
    other settings or another reference, the training starts again. The page shows all stored runs.
    """
    screen = Console()
    try:
        counts = [int(count) for count in devices.split(",")]
    except ValueError:
        counts = []
    if not counts or min(counts) < 1:
        raise typer.BadParameter(f"{devices!r} is no list of numbers, such as 1,2", param_hint="--devices")
    try:
        limits = {
            "epochs": epochs,
            "limit_batches": limit_batches,
            "limit_test_batches": limit_test_batches,
            "max_minutes": max_minutes,
            "data": data and str(data.resolve()),
        }
        for one, which, count in itertools.product(engine or list(Engine), model or list(Model), counts):
            train(screen, {**choose(one, which, count, batch_size), **limits}, keep / f"{one}-{which}-{count}")
    except WorkerFailed as problem:
        print(f"experiment: {problem}", file=sys.stderr)
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        print("experiment: stopped. The same command goes on after the last whole epoch.", file=sys.stderr)
        raise typer.Exit(130) from None
    out.write_text(page([Run.read(path) for path in sorted(keep.glob("*/run.json"))]), encoding="utf-8")
    screen.print(f"The table is in {out}", highlight=False)


if __name__ == "__main__":
    typer.run(experiment)
