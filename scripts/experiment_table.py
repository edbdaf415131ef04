"""The page docs/experiments.md: what was trained, how long it took, how good it became, and the book's figures."""

import json
from dataclasses import dataclass
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
ALL_IMAGES = 60_000
COLUMNS = "devices|epoch|batches|seconds|CPU seconds|load|accuracy|book: GPUs|seconds|accuracy"


def book_choice(model: str, devices: int) -> tuple[int, float]:
    """The book's batch size and learning rate; for numbers of devices that it does not try, what follows from them."""
    return (256, 0.2) if model == "lenet" else (256 * devices, 0.1 * devices)


@dataclass(frozen=True)
class Run:
    """One training that was kept.

    settings: what was asked for.  machine: processor, cores, memory in bytes, devices, versions.  epochs: the figures
    of each epoch, in order.
    """

    settings: dict[str, Any]
    machine: dict[str, Any]
    epochs: list[dict[str, Any]]

    @classmethod
    def read(cls, path: Path) -> "Run":
        """Read what train_reference.py wrote."""
        kept = json.loads(path.read_text(encoding="utf-8"))
        return cls(kept["settings"], kept["machine"], kept["epochs"])

    @property
    def command(self) -> str:
        """The command that makes this run."""
        options = [f"--{name} {self.settings[name]}" for name in ("engine", "model", "devices")]
        size, _ = book_choice(self.settings["model"], self.settings["devices"])
        if len(self.epochs) != 4:
            options.append(f"--epochs {len(self.epochs)}")
        options += [
            f"--{name.replace('_', '-')} {self.settings[name]}"
            for name in ("batch_size", "limit_batches", "limit_test_batches", "max_minutes")
            if self.settings[name] not in (None, size if name == "batch_size" else None)
        ]
        return f'make experiment ARGS="{" ".join(options)}"'

    def rows(self) -> list[str]:
        """One line of the table for each epoch, and for each epoch that only the book has."""
        devices = self.settings["devices"]
        book = BOOK.get((self.settings["model"], devices), [])
        lines = []
        for number in range(1, max(len(self.epochs), len(book)) + 1):
            here, there = ["-"] * 5, ["-", "-", "-"]
            if number <= len(self.epochs):
                epoch = self.epochs[number - 1]
                here = [
                    f"{epoch['batches']} of {epoch['batches_of_epoch']}",
                    f"{epoch['seconds']:.1f}",
                    f"{epoch['cpu_seconds']:.1f}",
                    f"{epoch['load']:.1f}",
                    f"{epoch['accuracy']:.2f}",
                ]
            if number <= len(book):
                there = [str(devices), *(f"{book[number - 1][0]:.1f} {book[number - 1][1]:.2f}".split())]
            lines.append(_row([str(devices), str(number), *here, *there]))
        return lines


def page(runs: list[Run]) -> str:
    """The whole page, for these runs."""
    runs = sorted(runs, key=lambda run: [run.settings[name] for name in ("engine", "model", "devices")])
    paragraphs = [
        "# The book's experiments, here",
        "`make experiment` trains the reference solutions of the assignments `multi_gpu` and `torch_parallel` on "
        "Fashion-MNIST and writes this page. The book's figures are those of its sections 8.4.6 and 8.5.2, on one and "
        "two GPUs.",
        *_machines(runs),
    ]
    for kind, title in TITLES.items():
        own = [run for run in runs if (run.settings["engine"], run.settings["model"]) == kind]
        if own:
            paragraphs += [f"## {title}", *_section(own)]
    paragraphs += ["## How to read it", _remarks(runs)]
    return "\n\n".join(paragraphs) + "\n"


def _machines(runs: list[Run]) -> list[str]:
    said: dict[str, list[str]] = {}
    for run in runs:
        machine = run.machine
        memory = f", {machine['memory'] / 2**30:.0f} GiB of memory" if machine["memory"] else ""
        text = (
            f"{machine['processor']}, {machine['cores']} cores{memory}; {machine['engine']}, Python {machine['python']}"
        )
        said.setdefault(text, []).append(f"{run.settings['model']} on {', '.join(machine['devices'])}")
    if len(said) == 1:
        return [f"The machine: {next(iter(said))}."]
    return [f"The machine of {' and '.join(who)}: {text}." for text, who in said.items()]


def _section(runs: list[Run]) -> list[str]:
    table = [_row(COLUMNS.split("|")), _row(["---:"] * len(COLUMNS.split("|")))]
    return ["\n".join(_how(run) for run in runs), "\n".join([*table, *(row for run in runs for row in run.rows())])]


def _how(run: Run) -> str:
    settings, devices = run.settings, run.machine["devices"]
    images = "{:,} training and {:,} test images".format(*settings["images"])
    tested = {epoch["test_images"] for epoch in run.epochs} - {settings["images"][1]}
    size, rate = book_choice(settings["model"], settings["devices"])
    book = f" (the book: {size} and {rate:g})" if settings["batch_size"] != size else ""
    part = f" ({tested.pop():,} of them used)" if tested else ""
    return (
        f"- {len(devices)} device{'s' * (len(devices) > 1)} ({', '.join(f'`{device}`' for device in devices)}): "
        f"batch size {settings['batch_size']}, learning rate {settings['lr']:g}{book}, {images}{part}: `{run.command}`"
    )


def _remarks(runs: list[Run]) -> str:
    epochs = [epoch for run in runs for epoch in run.epochs]
    loads, cores = [epoch["load"] for epoch in epochs], runs[0].machine["cores"]
    remarks = [
        "**seconds**: wall time of the training in an epoch, without the test, as in the book.",
        "**CPU seconds**: what all cores together spent on this training. Where other programs run, too, "
        "it says more than the wall time.",
        "**load**: the mean of the machine's one-minute load average in the epoch. The training itself is part of it.",
        "**accuracy**: the share of the test images that the first device's replica gets right after the epoch.",
    ]
    if max(loads) > cores + 0.5:
        remarks.append(
            f"**The machine was shared.** The load was {min(loads):.1f} to {max(loads):.1f} on {cores} cores, so the "
            "wall times say as much about its other work as about the training."
        )
    if any(device.startswith("cpu") for run in runs for device in run.machine["devices"]):
        remarks.append(
            "`cpu(1)` and `cpu(2)` are two memory spaces for the engine, on the **same cores**: no speed-up is to be "
            "expected. Each device has one thread here, as in grading (`OMP_NUM_THREADS=1`). If cores are idle, the "
            "second device's thread may use one; that says nothing about GPUs. What can be compared is the accuracy."
        )
    if any(device.startswith("simgpu") for run in runs for device in run.machine["devices"]):
        remarks.append(
            "`simgpu:0` and `simgpu:1` are simulated: one process on this machine's cores computes for both. So "
            "their seconds are not those of a GPU, and a second device makes nothing faster. What can be compared is "
            "the accuracy."
        )
    if any(run.settings["images"][0] < ALL_IMAGES for run in runs):
        remarks.append(
            f"Where there are fewer than {ALL_IMAGES:,} training images, they are the small part of the data that "
            "comes with the notebooks (`--data`): seconds and accuracy cannot be set beside the book's, only one "
            "number of devices beside another."
        )
    if any(epoch["batches"] < epoch["batches_of_epoch"] for epoch in epochs):
        remarks.append(
            "Where **batches** is less than the whole, the epoch ended there. Its network has seen fewer images than "
            "the book's, so seconds and accuracy cannot be set beside the book's. A `-` was not run here."
        )
    if any((run.settings["engine"], run.settings["model"]) == ("mxnet", "lenet") for run in runs):
        remarks.append(
            "In MXNet's notebook LeNet starts with very small weights (scale 0.01), and its first epoch learns little: "
            "chance is 0.10. That is why no grader asks for an accuracy."
        )
    return "\n".join(f"- {remark}" for remark in remarks)


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
