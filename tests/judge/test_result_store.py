"""The store: a result is whole or it is not there, whatever happens to its file."""

import gzip
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from syncpoint.core.atomic_write import sweep_parts
from syncpoint.core.messages import words
from syncpoint.core.results import NotebookResult, Versions
from syncpoint.judge.job import Result
from syncpoint.judge.result_store import Store

KEY, OTHER = "0" * 64, "1" * 64
RESULT = Result((), NotebookResult(Versions("mxnet 1.9.1", "0123456789ab"), ()), (words("a warning"),))


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """An empty store."""
    return Store(tmp_path / "results")


def test_what_was_put_is_there_and_nothing_else(store: Store):
    store.put(KEY, RESULT)
    assert (store.get(KEY), store.get(OTHER)) == (RESULT, None)


def test_a_result_that_does_not_last_is_not_kept(store: Store):
    store.put(KEY, replace(RESULT, cacheable=False))
    assert store.get(KEY) is None


def _torn(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-9])


def _flipped(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 255
    path.write_bytes(data)


def _of_another(path: Path) -> None:
    Store(path.parent.parent).put(OTHER, RESULT)
    Store(path.parent.parent).path(OTHER).replace(path)


DAMAGES = {
    "torn": _torn,
    "flipped": _flipped,
    "another's": _of_another,
    "empty": lambda path: path.write_bytes(b""),
    "no JSON": lambda path: path.write_bytes(gzip.compress(b"{")),
    "a pickle": lambda path: path.write_bytes(b"\x80\x04."),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_file_counts_as_none_and_is_replaced(store: Store, damage: Any):
    store.put(KEY, RESULT)
    damage(store.path(KEY))
    assert store.get(KEY) is None
    store.put(KEY, RESULT)
    assert store.get(KEY) == RESULT


def test_a_write_that_fails_leaves_the_old_result_and_nothing_else(store: Store, monkeypatch: pytest.MonkeyPatch):
    def full(descriptor: int) -> None:
        raise OSError(28, "no room")

    store.put(KEY, RESULT)
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="no room"):
        store.put(KEY, replace(RESULT, warnings=(words("new"),)))
    assert store.get(KEY) == RESULT
    assert [path.name for path in store.path(KEY).parent.iterdir()] == [store.path(KEY).name]


WRITER = """
import os, sys
from pathlib import Path
from syncpoint.core.atomic_write import write_whole
os.fsync = lambda handle: (print("written", flush=True), input())
write_whole(Path(sys.argv[1]), b"half")
"""


def test_what_a_killed_writer_left_is_swept_away_and_what_a_living_one_writes_is_not(tmp_path: Path):
    with subprocess.Popen([sys.executable, "-c", WRITER, tmp_path / "file"], stdin=-1, stdout=-1) as writer:
        assert writer.stdout.readline()
        (part,) = tmp_path.iterdir()
        sweep_parts(tmp_path)
        assert list(tmp_path.iterdir()) == [part]
        writer.kill()
    sweep_parts(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_many_may_write_and_read_at_once(store: Store):
    results = [replace(RESULT, warnings=(words(f"warning {number}" * 1000),)) for number in range(8)]

    def work(result: Result) -> list[Result | None]:
        seen = []
        for _ in range(20):
            store.put(KEY, result)
            seen.append(store.get(KEY))
        return seen

    with ThreadPoolExecutor(len(results)) as pool:
        seen = [result for each in pool.map(work, results) for result in each]
    assert [result for result in seen if result not in results] == []
    assert len(list(store.path(KEY).parent.iterdir())) == 1
