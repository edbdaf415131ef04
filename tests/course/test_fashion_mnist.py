"""The data loader of multi_gpu: where it looks, what it returns, and its message on a wrong file."""

import functools
import gzip
import http.server
import json
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from classroom import ENGINE, ROOT

ASSIGNMENT = ROOT / "source" / "multi_gpu"
SUBSET = ASSIGNMENT / "fashion-mnist-subset"
FULL = Path("/usr/share/datasets/fashion-mnist")
NAMES = ["train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"]

needs_full_data = pytest.mark.skipif(not FULL.exists(), reason="needs Debian's package dataset-fashion-mnist")

# Runs in the engine's environment: one line of JSON asks for one load, one line of JSON answers.
LOADER = """
import contextlib, io, json, os, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
import fashion_mnist
from mxnet.gluon import utils
check_sha1 = utils.check_sha1
for line in sys.stdin:
    ask, printed = json.loads(line), io.StringIO()
    os.environ.update(ask["environment"])
    fashion_mnist.DEBIAN, fashion_mnist.PATIENCE = Path(ask["debian"]), ask["patience"]
    # MXNet knows the digests of the real files; those of the tests are others.
    utils.check_sha1 = (lambda *_: True) if ask["trusted"] else check_sha1
    try:
        with contextlib.redirect_stdout(printed):
            parts = fashion_mnist.load_data_fashion_mnist(ask["batch_size"], **ask["named"])
        answer = {"printed": printed.getvalue(), "lengths": [len(part) for part in parts]}
        for name, part in zip(("train", "again", "test"), (parts[0], parts[0], parts[1])):
            batches = list(part)
            answer[name] = [(X.asnumpy().mean(axis=(1, 2, 3)).tolist(), y.asnumpy().tolist()) for X, y in batches]
            for X, y in batches:
                assert (X.shape[1:], str(X.context), str(y.context)) == ((1, 28, 28), "cpu(0)", "cpu(0)")
                assert X.dtype.__name__ == y.dtype.__name__ == "float32" and y.shape == X.shape[:1]
    except fashion_mnist.DatasetError as error:
        answer = {"error": str(error), "printed": printed.getvalue()}
    for name in ask["environment"]:
        del os.environ[name]
    print(json.dumps(answer), flush=True)
"""

Load = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def loader() -> Iterator[subprocess.Popen[str]]:
    command = [str(ENGINE / "bin" / "python"), "-c", LOADER, str(ASSIGNMENT)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as running:
        yield running
        running.stdin.close()


@pytest.fixture
def load(loader: subprocess.Popen[str], tmp_path: Path) -> Load:
    """Load data in the engine's environment, on a machine with neither data nor network unless the test gives some."""

    def ask(
        batch_size: int = 4,
        debian: Path = tmp_path / "debian",
        trusted: bool = False,
        patience: float = 60,
        **more: str,
    ) -> Any:
        named = {"root": more.pop("root")} if "root" in more else {}
        environment = {"MXNET_HOME": str(tmp_path / "mxnet"), "MXNET_GLUON_REPO": "http://127.0.0.1:9/", **more}
        request = {"batch_size": batch_size, "debian": str(debian), "trusted": trusted, "patience": patience}
        loader.stdin.write(json.dumps({**request, "named": named, "environment": environment}) + "\n")
        loader.stdin.flush()
        return json.loads(loader.stdout.readline())

    return ask


def idx(values: np.ndarray) -> bytes:
    return bytes([0, 0, 8, values.ndim]) + np.array(values.shape, ">u4").tobytes() + values.tobytes()


def write_data(folder: Path, train: int = 10, test: int = 5, packed: bool = True) -> Path:
    """A small data set in which image i is grey of level i, with label i modulo 10."""
    folder.mkdir(parents=True)
    for part, count in (("train", train), ("t10k", test)):
        levels = np.arange(count, dtype="uint8")
        for name, values in (
            ("images-idx3", levels[:, None, None] + np.zeros((1, 28, 28), "uint8")),
            ("labels-idx1", levels % 10),
        ):
            path = folder / f"{part}-{name}-ubyte"
            if packed:
                path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(idx(values)))
            else:
                path.write_bytes(idx(values))
    return folder


def labels(batches: list[Any]) -> list[float]:
    return [label for _, some in batches for label in some]


def test_training_data_come_in_a_new_order_each_time(load: Load, tmp_path: Path):
    data = load(7, root=str(write_data(tmp_path / "data", train=200)))
    first, again = labels(data["train"]), labels(data["again"])
    ordered = [number % 10 for number in range(200)]
    assert first != again != ordered != first
    assert sorted(first) == sorted(again) == sorted(ordered)


def test_test_data_come_in_their_order(load: Load, tmp_path: Path):
    assert labels(load(2, root=str(write_data(tmp_path / "data")))["test"]) == [0, 1, 2, 3, 4]


def test_the_last_batch_holds_the_rest(load: Load, tmp_path: Path):
    data = load(4, root=str(write_data(tmp_path / "data")))
    assert [len(y) for _, y in data["train"]] == [4, 4, 2]
    assert [len(y) for _, y in data["test"]] == [4, 1]
    assert data["lengths"] == [3, 2]


def test_images_keep_their_labels_and_lie_between_0_and_1(load: Load, tmp_path: Path):
    data = load(4, root=str(write_data(tmp_path / "data")))
    for levels, kinds in [*data["train"], *data["test"]]:
        np.testing.assert_allclose(levels, np.array(kinds) / 255, rtol=1e-5)


PLACES = ("root", "setting", "debian", "mxnet/datasets/fashion-mnist")  # the first one with data is taken


@pytest.mark.parametrize("first", range(len(PLACES)))
def test_each_place_comes_before_the_next_ones(load: Load, tmp_path: Path, first: int):
    for number, place in enumerate(PLACES[first:], 6):
        write_data(tmp_path / place, train=number)
    named = {"root": str(tmp_path / "root")} if first == 0 else {}
    setting = str(tmp_path / "setting") if first <= 1 else ""
    printed = load(debian=tmp_path / "debian", FASHION_MNIST=setting, **named)["printed"]
    assert f"6 training and 5 test images from {tmp_path / PLACES[first]}" in printed


def test_files_need_not_be_packed(load: Load, tmp_path: Path):
    assert len(labels(load(root=str(write_data(tmp_path / "data", packed=False)))["train"])) == 10


def test_without_data_and_network_the_small_part_is_used_and_named(load: Load):
    data = load(256)
    assert "does not answer" in data["printed"]
    assert f"2000 training and 500 test images (the small part) from {SUBSET}" in data["printed"]
    assert (len(labels(data["train"])), len(labels(data["test"]))) == (2000, 500)


def test_a_silent_server_is_given_up(load: Load):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        data = load(patience=0.2, MXNET_GLUON_REPO=f"http://127.0.0.1:{silent.getsockname()[1]}/")
    assert "(the small part)" in data["printed"]


def test_graded_work_reads_the_small_part_at_once(load: Load, tmp_path: Path):
    data = load(root=str(write_data(tmp_path / "data")), NBGRADER_EXECUTION="autograde")
    assert data["printed"].startswith("Fashion-MNIST: 2000 training and 500 test images (the small part)")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """A server like MXNet's own, with a small data set; its address."""
    write_data(tmp_path / "served" / "gluon" / "dataset" / "fashion-mnist", train=6)

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *arguments: Any) -> None:
            pass

    handler = functools.partial(Quiet, directory=str(tmp_path / "served"))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as serving:
        threading.Thread(target=serving.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{serving.server_port}/"
        serving.shutdown()


def test_where_the_server_answers_mxnet_downloads_into_its_cache(load: Load, tmp_path: Path, server: str):
    cache = tmp_path / "mxnet" / "datasets" / "fashion-mnist"
    assert f"6 training and 5 test images from {cache}" in load(MXNET_GLUON_REPO=server, trusted=True)["printed"]
    assert sorted(path.name for path in cache.iterdir()) == sorted(f"{name}.gz" for name in NAMES)
    assert len(labels(load()["train"])) == 6, "the second time, no server is needed"


def test_half_a_download_of_mxnet_is_completed(load: Load, tmp_path: Path, server: str):
    cache = write_data(tmp_path / "mxnet" / "datasets" / "fashion-mnist", train=6)
    (cache / f"{NAMES[2]}.gz").unlink()
    assert len(labels(load(MXNET_GLUON_REPO=server, trusted=True)["test"])) == 5


def test_a_download_of_something_else_is_not_kept(load: Load, tmp_path: Path, server: str):
    data = load(MXNET_GLUON_REPO=server)
    assert "no download" in data["printed"] and "(the small part)" in data["printed"]
    assert list((tmp_path / "mxnet" / "datasets" / "fashion-mnist").iterdir()) == []


def cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def repacked(change: Callable[[bytes], bytes]) -> Callable[[bytes], bytes]:
    return lambda data: gzip.compress(change(gzip.decompress(data)))


DAMAGES = [
    pytest.param(NAMES[0], cut, "end-of-stream", id="a packed file that stops half-way"),
    pytest.param(NAMES[1], lambda _: b"", "begins with", id="an empty file"),
    pytest.param(NAMES[0], lambda _: b"<html>Not found</html>", "Not a gzipped file", id="a page instead of the file"),
    pytest.param(NAMES[2], lambda data: data[:20] + b"\xff" * 20 + data[40:], "cannot be read", id="packed badly"),
    pytest.param(NAMES[2], repacked(lambda data: b"\0\0\x08\x01" + data[4:]), "begins with", id="labels for images"),
    pytest.param(NAMES[3], repacked(lambda data: b"\x89PNG" + data[4:]), "begins with", id="a file of another kind"),
    pytest.param(NAMES[1], repacked(lambda data: data[:6]), "ends too early", id="a head that stops half-way"),
    pytest.param(NAMES[0], repacked(cut), "should hold 7840 values", id="fewer images than the head says"),
    pytest.param(NAMES[3], repacked(lambda data: data + b"\0"), "should hold 5 values", id="more labels than it says"),
    pytest.param(NAMES[1], repacked(lambda _: idx(np.zeros(9, "uint8"))), "10 images, but 9", id="a label too few"),
    pytest.param(NAMES[3], repacked(lambda _: idx(np.full(5, 10, "uint8"))), "the label 10", id="a label of no class"),
    pytest.param(
        NAMES[0], repacked(lambda _: idx(np.zeros((10, 14, 56), "uint8"))), "(14, 56)", id="images of another size"
    ),
]


@pytest.mark.parametrize(("name", "damage", "reason"), DAMAGES)
def test_a_damaged_file_is_named_with_the_reason_and_the_way_out(
    load: Load, tmp_path: Path, name: str, damage: Callable[[bytes], bytes], reason: str
):
    path = write_data(tmp_path / "data") / f"{name}.gz"
    path.write_bytes(damage(path.read_bytes()))
    error = load(FASHION_MNIST=str(path.parent))["error"]
    assert str(path) in error and reason in error
    assert "root of load_data_fashion_mnist" in error and "FASHION_MNIST" in error and str(SUBSET) in error


@pytest.mark.parametrize("name", NAMES)
def test_a_missing_file_is_named_with_the_way_out(load: Load, tmp_path: Path, name: str):
    path = write_data(tmp_path / "data") / f"{name}.gz"
    path.unlink()
    error = load(root=str(path.parent))["error"]
    assert f"{path} is missing" in error and "root of load_data_fashion_mnist" in error and "FASHION_MNIST" in error


def test_a_named_folder_that_is_not_there_is_an_error(load: Load, tmp_path: Path):
    assert str(tmp_path / "nowhere") in load(FASHION_MNIST=str(tmp_path / "nowhere"))["error"]


@pytest.mark.parametrize(("damage", "reason"), [(Path.unlink, " is missing"), (lambda path: path.write_bytes(b""), "")])
@pytest.mark.parametrize("place", PLACES[2:])
def test_a_bad_file_in_a_usual_place_is_no_reason_to_go_on_silently(
    load: Load, tmp_path: Path, place: str, damage: Callable[[Path], object], reason: str
):
    path = write_data(tmp_path / place) / f"{NAMES[0]}.gz"
    damage(path)
    assert f"{path}{reason}" in load()["error"]


def _unpacked(folder: Path) -> list[bytes]:
    return [gzip.decompress((folder / f"{name}.gz").read_bytes()) for name in NAMES]


def test_the_small_part_has_as_many_images_of_each_class():
    train, test = (np.frombuffer(_unpacked(SUBSET)[number], "uint8", offset=8) for number in (1, 3))
    assert np.bincount(train).tolist() == [200] * 10
    assert np.bincount(test).tolist() == [50] * 10


def test_the_small_part_is_small_and_has_its_licence():
    assert sum(path.stat().st_size for path in SUBSET.iterdir()) < 2_000_000
    assert "Copyright (c) 2017 Zalando SE" in (SUBSET / "LICENSE").read_text()


@needs_full_data
def test_the_small_part_is_what_its_script_makes_of_the_full_data(tmp_path: Path):
    # Not the packed bytes: another version of zlib packs the same data in another way.
    script = ROOT / "scripts" / "make_fashion_mnist_subset.py"
    subprocess.run([sys.executable, script, FULL, tmp_path], check=True)
    assert _unpacked(tmp_path) == _unpacked(SUBSET)
