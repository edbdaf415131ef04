"""make experiment: tiny trainings of the real reference, interrupted and gone on with, and the page that is written."""

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from classroom import ENGINE, ROOT

SUBSET = ROOT / "source" / "multi_gpu" / "fashion-mnist-subset"
EXPERIMENT = [sys.executable, str(ROOT / "scripts" / "experiment.py")]
TINY = "--devices 2 --limit-batches 1 --limit-test-batches 1".split()
LENET = [*TINY, "--engine", "mxnet", "--model", "lenet", "--batch-size", "32"]
TORCH = [*TINY, "--engine", "torch", "--batch-size", "4"]

# Says how far two files of parameters are from each other.
DISTANCE = """
import sys
from mxnet import nd
one, other = (nd.load(path) for path in sys.argv[1:])
assert len(one) == len(other) == 16
print(max(float(abs(a - b).max().asscalar()) for a, b in zip(one, other)))
"""

TORCH_PYTHON = ROOT / ".venv-torch" / "bin" / "python"
TORCH_DISTANCE = """
import sys
import torch
one, other = (torch.load(path) for path in sys.argv[1:])
assert len(one) == len(other) == 2
print(max(float((a[name] - b[name]).abs().max()) for a, b in zip(one, other) for name in a))
"""


def arguments(folder: Path, *options: str, usual: list[str] = LENET) -> list[str]:
    places = ["--data", str(SUBSET), "--keep", str(folder), "--out", str(folder / "page.md")]
    return [*EXPERIMENT, *usual, *places, *options]


def experiment(folder: Path, *options: str, usual: list[str] = LENET) -> subprocess.CompletedProcess[str]:
    return subprocess.run(arguments(folder, *options, usual=usual), capture_output=True, text=True, timeout=300)


def stored(folder: Path, run: str = "mxnet-lenet-2") -> dict[str, Any]:
    return json.loads((folder / run / "run.json").read_text())


@pytest.fixture(scope="module")
def interrupted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The saved state of a training that was interrupted after its second epoch, or a little later.  Copy it."""
    folder = tmp_path_factory.mktemp("interrupted")
    with subprocess.Popen(
        arguments(folder, "--epochs", "10000"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        for line in running.stdout:
            if "epoch 2" in line:
                running.send_signal(signal.SIGINT)
                break
        _, output = running.communicate(timeout=300)
    assert running.returncode == 130, output
    assert "goes on" in output and not (folder / "page.md").exists()
    return folder


@pytest.fixture
def folder(interrupted: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(interrupted, tmp_path / "kept"))


@pytest.mark.exhaustive
def test_an_interrupted_training_goes_on_as_if_it_had_never_stopped(folder: Path, tmp_path: Path):
    before = stored(folder)["epochs"]
    wanted = len(before) + 2
    done = experiment(folder, "--epochs", str(wanted))
    assert done.returncode == 0, done.stderr
    assert len(stored(folder)["epochs"]) == wanted
    assert stored(folder)["epochs"][: len(before)] == before, "the epochs that were kept are not trained again"
    assert done.stdout.count("lenet, 2 devices: epoch") == wanted, "and are shown, too"

    alone = tmp_path / "alone"
    assert experiment(alone, "--epochs", str(wanted)).returncode == 0
    files = [path / "mxnet-lenet-2" / f"parameters-{wanted}" for path in (folder, alone)]
    distance = subprocess.run([ENGINE / "bin" / "python", "-c", DISTANCE, *files], capture_output=True, text=True)
    assert float(distance.stdout) < 1e-5, distance.stderr


@pytest.mark.exhaustive
def test_the_gluon_network_goes_on_with_its_parameters_and_running_means(tmp_path: Path):
    resnet = [*TINY, "--engine", "mxnet", "--model", "resnet18", "--batch-size", "4"]
    for epochs in ("1", "2"):
        done = experiment(tmp_path, "--epochs", epochs, usual=resnet)
        assert done.returncode == 0, done.stderr
    run = stored(tmp_path, "mxnet-resnet18-2")
    assert [epoch["images"] for epoch in run["epochs"]] == [4, 4]
    assert run["settings"]["lr"] == pytest.approx(0.2 * 4 / 512)
    assert "## ResNet-18, with Gluon" in (tmp_path / "page.md").read_text()


@pytest.mark.exhaustive
@pytest.mark.parametrize("model", ["lenet", "resnet18"])
def test_ranks_on_the_simulated_gpu_go_on_as_if_they_had_never_stopped(tmp_path: Path, model: str):
    for folder, epochs in (("twice", "1"), ("twice", "2"), ("once", "2")):
        done = experiment(tmp_path / folder, "--model", model, "--epochs", epochs, usual=TORCH)
        assert done.returncode == 0, done.stderr
    twice, once = (stored(tmp_path / folder, f"torch-{model}-2") for folder in ("twice", "once"))
    assert [epoch["images"] for epoch in twice["epochs"]] == [4, 4]
    assert "PyTorch" in twice["machine"]["engine"] and twice["machine"]["devices"] == ["simgpu:0", "simgpu:1"]
    files = [tmp_path / folder / f"torch-{model}-2" / "parameters-2" for folder in ("twice", "once")]
    distance = subprocess.run([TORCH_PYTHON, "-c", TORCH_DISTANCE, *files], capture_output=True, text=True)
    assert float(distance.stdout) < 1e-5, distance.stderr
    assert once["settings"] == twice["settings"]
    assert ", with torch.distributed" in (tmp_path / "twice" / "page.md").read_text()


@pytest.mark.exhaustive
def test_other_settings_start_again(folder: Path):
    assert experiment(folder, "--epochs", "1", "--batch-size", "16").returncode == 0
    assert len(stored(folder)["epochs"]) == 1
    assert (stored(folder)["settings"]["batch_size"], stored(folder)["settings"]["lr"]) == (16, pytest.approx(0.2 / 16))


@pytest.mark.exhaustive
def test_a_training_whose_parameters_are_lost_starts_again(folder: Path):
    next((folder / "mxnet-lenet-2").glob("parameters-*")).unlink()
    assert experiment(folder, "--epochs", "1").returncode == 0
    assert len(stored(folder)["epochs"]) == 1


def test_time_that_is_over_ends_the_epoch_at_a_batch(tmp_path: Path):
    assert experiment(tmp_path, "--limit-batches", "40", "--max-minutes", "0").returncode == 0
    assert [(epoch["batches"], epoch["batches_of_epoch"]) for epoch in stored(tmp_path)["epochs"]] == [(1, 63)]
    assert "| 1 of 63 |" in (tmp_path / "page.md").read_text()


def test_an_error_of_the_training_is_reported_in_one_line(tmp_path: Path):
    done = experiment(tmp_path, "--batch-size", "31")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1 and "31 examples" in done.stderr and "log.txt" in done.stderr


@pytest.mark.parametrize("devices", ["", "one", "0", "1,,2"])
def test_devices_that_are_no_numbers_are_refused(tmp_path: Path, devices: str):
    done = experiment(tmp_path, "--devices", devices)
    assert done.returncode == 2 and "--devices" in done.stderr


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    import experiment_table

    return experiment_table


@pytest.fixture
def made(table: Any) -> Callable[..., Any]:
    """A run of so many whole epochs on an idle machine of two cores."""

    def make(model: str = "lenet", devices: int = 1, epochs: int = 4, **settings: Any) -> Any:
        asked = {
            "engine": "mxnet",
            "model": model,
            "devices": devices,
            "batch_size": 256,
            "lr": 0.2,
            "limit_batches": None,
            "limit_test_batches": None,
            "max_minutes": None,
            "images": [60000, 10000],
            **settings,
        }
        machine = {
            "processor": "A Processor",
            "cores": 2,
            "memory": 8 * 2**30,
            "devices": [f"cpu({number})" for number in range(1, devices + 1)],
            "engine": "MXNet 1.9.1",
            "python": "3.11.7",
        }
        figures = {"batches": 235, "batches_of_epoch": 235, "images": 60000, "seconds": 20.25, "cpu_seconds": 30.5}
        rest = {"load": 1.5, "accuracy": 0.7512, "test_images": 10000}
        return table.Run(asked, machine, [{"number": n, **figures, **rest} for n in range(1, epochs + 1)])

    return make


def test_each_epoch_is_next_to_the_epoch_of_the_book(table: Any, made: Callable[..., Any]):
    text = table.page([made(devices=2), made(devices=1)])
    rows = [line for line in text.splitlines() if line.startswith(("| 1 |", "| 2 |"))]
    assert len(rows) == 8
    assert rows[1] == "| 1 | 2 | 235 of 235 | 20.2 | 30.5 | 1.5 | 0.75 | 1 | 1.4 | 0.60 |"
    assert rows[7] == "| 2 | 4 | 235 of 235 | 20.2 | 30.5 | 1.5 | 0.75 | 2 | 2.5 | 0.74 |"


def test_epochs_of_the_book_that_were_not_run_are_there(table: Any, made: Callable[..., Any]):
    text = table.page([made("resnet18", 2, epochs=1, batch_size=512)])
    assert "| 2 | 1 | 235 of 235 | 20.2 | 30.5 | 1.5 | 0.75 | 2 | 7.3 | 0.69 |" in text
    assert "| 2 | 4 | - | - | - | - | - | 2 | 6.7 | 0.90 |" in text


def test_devices_and_epochs_that_the_book_has_not_are_there(table: Any, made: Callable[..., Any]):
    text = table.page([made(devices=3, epochs=1), made(devices=1, epochs=5)])
    assert "| 3 | 1 | 235 of 235 | 20.2 | 30.5 | 1.5 | 0.75 | - | - | - |" in text
    assert "| 1 | 5 | 235 of 235 | 20.2 | 30.5 | 1.5 | 0.75 | - | - | - |" in text


def test_the_page_says_where_a_run_departs_from_the_book(table: Any, made: Callable[..., Any]):
    assert "(the book: 512 and 0.2)" in table.page([made("resnet18", 2, batch_size=64, lr=0.025)])
    assert "(the book:" not in table.page([made("resnet18", 2, batch_size=512)])


def test_the_page_names_machine_and_images_of_each_run(table: Any, made: Callable[..., Any]):
    run = made(devices=2, images=[2000, 500])
    text = table.page([made(devices=1), replace(run, machine={**run.machine, "processor": "Another"})])
    assert "60,000 training and 10,000 test images; A Processor, 2 cores, MXNet 1.9.1, Python 3.11.7" in text
    assert "`cpu(1)`, `cpu(2)`: batch size 256, learning rate 0.2, 2,000 training and 500 test images; Another" in text


def test_each_engine_has_a_section_of_its_own(table: Any, made: Callable[..., Any]):
    run = made(devices=2, engine="torch")
    text = table.page([made(devices=2), run])
    assert text.index("## LeNet, from scratch") < text.index("## LeNet, with torch.distributed")
    assert text.count("| 2 | 1 | 235 of 235 | 20.2 | 30.5 | 1.5 | 0.75 | 2 | 2.6 | 0.10 |") == 2
