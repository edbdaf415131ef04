"""The page docs/results/experiments.md: the runs, time and accuracy, and the book's figures."""

import json
from dataclasses import dataclass
from itertools import groupby, zip_longest
from pathlib import Path
from typing import Any

# Seconds and test accuracy of the epochs in sections 8.4.6 and 8.5.2 of the book, by model and number of GPUs.
BOOK = {
    ("lenet", 1): [(1.5, 0.10), (1.4, 0.60), (1.4, 0.75), (1.4, 0.68)],
    ("lenet", 2): [(2.6, 0.10), (2.6, 0.69), (2.4, 0.74), (2.5, 0.74)],
    ("resnet18", 1): [(14.0, 0.89), (12.9, 0.91), (13.0, 0.91), (13.0, 0.92)],
    ("resnet18", 2): [(7.3, 0.69), (6.7, 0.86), (6.7, 0.89), (6.7, 0.90)],
}
TITLES = {
    ("mxnet", "lenet"): "LeNet, from scratch",
    ("mxnet", "resnet18"): "ResNet-18, with Gluon",
    ("torch", "lenet"): "LeNet, with torch.distributed",
    ("torch", "resnet18"): "ResNet-18, with torch.distributed",
}
COLUMNS = "devices|epoch|batches|seconds|CPU seconds|load|accuracy|book: GPUs|seconds|accuracy"
HEAD = """\
# Experiments

`make experiment` trains the reference solutions of `multi_gpu` and `torch_parallel` on Fashion-MNIST and writes this \
page (`make experiment ARGS=--help` lists the options). The columns on the right are the figures of *Dive into \
Deep Learning* (the book), sections 8.4.6 and 8.5.2, on one and two GPUs."""
REMARKS = """\
## How to read it

- **seconds** is the wall-clock time of the training in an epoch, without the test. **CPU seconds** is the time of all \
cores. **load** is the machine's mean load, which includes the training.
- **accuracy** is the share of test images that the first device's replica classifies correctly after the epoch.
- Compare the accuracy, not the time. A second device makes nothing faster, because `cpu(1)` and `cpu(2)` use the same \
cores, and one process simulates `simgpu:0` and `simgpu:1`.
- **batches** such as `120 of 938` means that the epoch ended early. Do not compare its figures with the book's. \
`-` means that the epoch was not run.
- In MXNet's notebook, LeNet starts with very small weights and learns little in its first epoch. After this epoch, \
its accuracy is close to chance (0.10). Therefore no grader asks for an accuracy."""


def book_choice(model: str, devices: int) -> tuple[int, float]:
    """Return the book's batch size and learning rate; for other numbers of devices, values derived from them."""
    return (256, 0.2) if model == "lenet" else (256 * devices, 0.1 * devices)


@dataclass(frozen=True)
class Run:
    """One training: its settings, the machine, and each epoch's figures, in order."""

    settings: dict[str, Any]
    machine: dict[str, Any]
    epochs: list[dict[str, Any]]

    @classmethod
    def read(cls, path: Path) -> "Run":
        """Read what train_reference.py wrote."""
        found = json.loads(path.read_text(encoding="utf-8"))
        return cls(found["settings"], found["machine"], found["epochs"])

    @property
    def kind(self) -> tuple[str, str]:
        """Engine and model."""
        return self.settings["engine"], self.settings["model"]

    def about(self) -> str:
        """Describe in one line how it differs from other runs."""
        settings, machine = self.settings, self.machine
        (size, rate), images = book_choice(settings["model"], settings["devices"]), settings["images"]
        book = f" (the book: {size} and {rate:g})" if settings["batch_size"] != size else ""
        return (
            f"- {', '.join(f'`{device}`' for device in machine['devices'])}: batch size {settings['batch_size']}, "
            f"learning rate {settings['lr']:g}{book}, {images[0]:,} training and {images[1]:,} test images; "
            f"{machine['processor']}, {machine['cores']} cores, {machine['engine']}, Python {machine['python']}"
        )

    def rows(self) -> list[str]:
        """Yield a table line for each epoch, and for each epoch that only the book has."""
        devices, lines = self.settings["devices"], []
        book = BOOK.get((self.settings["model"], devices), [])
        for number, (epoch, theirs) in enumerate(zip_longest(self.epochs, book), 1):
            here = ["-"] * 5
            if epoch:
                batches = f"{epoch['batches']} of {epoch['batches_of_epoch']}"
                figures = (f"{epoch[name]:.1f}" for name in ("seconds", "cpu_seconds", "load"))
                here = [batches, *figures, f"{epoch['accuracy']:.2f}"]
            there = [str(devices), f"{theirs[0]:.1f}", f"{theirs[1]:.2f}"] if theirs else ["-"] * 3
            lines.append(_row([str(devices), str(number), *here, *there]))
        return lines


def page(runs: list[Run]) -> str:
    """The whole page, for these runs."""
    parts = [HEAD]
    ordered = sorted(runs, key=lambda run: (run.kind, run.settings["devices"]))
    for kind, group in groupby(ordered, key=lambda run: run.kind):
        own = list(group)
        table = [
            _row(COLUMNS.split("|")),
            _row(["---:"] * len(COLUMNS.split("|"))),
            *(r for run in own for r in run.rows()),
        ]
        parts += [f"## {TITLES[kind]}", "\n".join(run.about() for run in own), "\n".join(table)]
    return "\n\n".join([*parts, REMARKS]) + "\n"


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
