"""The output of `syncpoint grade` for people and scripts, and the coordinator's cache."""

import io
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from syncpoint.grading.display import AGAIN, FAILURES_SHOWN, PROVISIONAL, Display, SubmissionOutcome
from syncpoint.grading.submission_cache import CachedSubmission, SubmissionCache, content, file_states


@pytest.fixture
def output() -> io.StringIO:
    """Return the output for people."""
    return io.StringIO()


@pytest.fixture
def reported() -> io.StringIO:
    """Return the output for scripts."""
    return io.StringIO()


@pytest.fixture
def display(output: io.StringIO, reported: io.StringIO) -> Display:
    """A display without a terminal."""
    return Display("async", Console(file=output), reported)


def test_the_summary_counts_everybody(display: Display, output: io.StringIO):
    with display.shown():
        display.begin(3)
        display.ended(SubmissionOutcome("ada", "graded", 2.0))
        display.ended(SubmissionOutcome("bob", "unchanged"))
        display.ended(SubmissionOutcome("eve", "from the store"))
    assert "1 graded, 1 from the store, 1 unchanged" in output.getvalue()
    assert "slowest: ada 2.0 s" in output.getvalue()
    assert display.complete


def test_whoever_is_not_graded_is_named_with_the_reason_and_the_next_step(display: Display, output: io.StringIO):
    with display.shown():
        display.begin(1)
        display.ended(SubmissionOutcome("ada", "not graded", 0.0, "the disk is full"))
    assert "ada is not graded: the disk is full" in output.getvalue()
    assert AGAIN in output.getvalue()
    assert not display.complete


def test_who_was_judged_with_a_fault_of_ours_is_counted_apart(display: Display, output: io.StringIO):
    with display.shown():
        display.begin(2)
        display.ended(SubmissionOutcome("ada", "graded", 2.0))
        display.ended(SubmissionOutcome("bob", "provisional", 2.0))
    assert "1 graded, 1 provisional" in output.getvalue()
    assert PROVISIONAL in output.getvalue()
    assert not display.complete


def test_a_class_that_fails_as_a_whole_does_not_flood(display: Display, output: io.StringIO, reported: io.StringIO):
    with display.shown():
        for number in range(FAILURES_SHOWN + 5):
            display.ended(SubmissionOutcome(f"s{number}", "not graded", 0.0, "no scheduler"))
    assert output.getvalue().count("not graded: s") == FAILURES_SHOWN
    assert len(json.loads(reported.getvalue().splitlines()[-1])["failed"]) == FAILURES_SHOWN + 5


def test_each_line_for_scripts_is_json_and_the_last_one_the_summary(display: Display, reported: io.StringIO):
    with display.shown():
        display.begin(1)
        display.note("a remark")
        display.ended(SubmissionOutcome("ada [bold]", "graded", 1.5))
    events = [json.loads(line) for line in reported.getvalue().splitlines()]
    assert [event["event"] for event in events] == ["begin", "note", "ended", "summary"]
    assert events[2] == {"event": "ended", "student": "ada [bold]", "outcome": "graded", "seconds": 1.5, "reason": ""}
    assert events[3]["counts"]["graded"] == 1


def test_a_terminal_shows_what_each_worker_does(output: io.StringIO):
    screen = Console(file=output, force_terminal=True, width=100)
    display = Display("async", screen)
    with display.shown():
        display.begin(2)
        display.workers(["tcp://one", "tcp://two"])
        display.judging("tcp://one", "ada [red]")
        screen.print(display._render())
    assert "ada [red], 0 s" in output.getvalue()
    assert "waits" in output.getvalue()


def test_a_name_is_no_markup(display: Display, output: io.StringIO):
    display.ended(SubmissionOutcome("[red]ada", "not graded", 0.0, "[/red]"))
    assert "[red]ada is not graded: [/red]" in output.getvalue()


CACHED = CachedSubmission("abc", {"work": "0123", "other": None}, {"work": (1, 2, 3)})


def test_a_memo_comes_back(tmp_path: Path):
    cache = SubmissionCache.of(tmp_path, "async")
    for text in ("", CACHED.content):
        cache.put("ada/../é\udcff", replace(CACHED, content=text))
    cache.put("bob", CACHED)
    assert SubmissionCache.of(tmp_path, "async").get("ada/../é\udcff") == CACHED
    cache.remove("bob")
    again = SubmissionCache.of(tmp_path, "async")
    assert (again.get("bob"), again.get("ada/../é\udcff")) == (None, CACHED)


def test_memos_of_many_runs_stay_few(tmp_path: Path):
    for number in range(1000):
        cache = SubmissionCache.of(tmp_path, "async")
        cache.get("ada")
        cache.put("ada", replace(CACHED, content=str(number)))
    assert SubmissionCache.of(tmp_path, "async").get("ada") == replace(CACHED, content="999")
    assert len(cache.file.read_bytes().splitlines()) < 200


@pytest.mark.parametrize("torn", [b"", b"{", b'{"content": 1}', b"\xff"])
def test_a_torn_memo_counts_as_missing_and_no_other(tmp_path: Path, torn: bytes):
    cache = SubmissionCache.of(tmp_path, "async")
    cache.put("ada", CACHED)
    name, _, _ = cache.file.read_bytes().partition(b" ")
    cache.file.write_bytes(name + b" " + torn + b"\n")
    cache.put("bob", CACHED)
    assert (cache.get("ada"), cache.get("bob")) == (None, CACHED)


@pytest.mark.parametrize("change", ["text", "name", "added", "removed", "link"])
def test_any_change_of_a_submission_is_seen(tmp_path: Path, change: str):
    folder = tmp_path / "async"
    (folder / "sub").mkdir(parents=True)
    (folder / "work.ipynb").write_text("one")
    (folder / "sub" / "data.txt").write_text("two")
    before = content(folder, 100, "")
    assert content(folder, 100, "") == before
    match change:
        case "text":
            (folder / "sub" / "data.txt").write_text("owt")
        case "name":
            (folder / "sub" / "data.txt").rename(folder / "sub" / "datb.txt")
        case "added":
            (folder / "timestamp.txt").write_text("now")
        case "removed":
            (folder / "sub" / "data.txt").unlink()
        case "link":
            (folder / "sub" / "link").symlink_to(tmp_path)
    assert content(folder, 100, "") != before


def test_what_else_decides_changes_the_digest(tmp_path: Path):
    assert content(tmp_path, 100, "these tests") != content(tmp_path, 100, "those tests")


def test_a_pipe_in_a_submission_blocks_nobody(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe")
    assert content(tmp_path, 100, "")


def test_a_file_that_was_replaced_is_seen(tmp_path: Path):
    path = tmp_path / "work.ipynb"
    path.write_text("one")
    before = file_states([path])
    (tmp_path / "new").write_text("one")
    (tmp_path / "new").replace(path)
    assert file_states([path]) != before
    path.unlink()
    assert file_states([path]) is None
