"""`syncpoint grade` killed anywhere: the same command again completes the work, and leaves nothing behind."""

from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from classroom import SmallCourse
from graded_class import GIVE_UP_SECONDS, RUN, SCORES, cluster, grade, hold, running, stored, submit_all

pytestmark = pytest.mark.slow


@pytest.fixture
def taught(course: SmallCourse) -> SmallCourse:
    """The class, not graded yet."""
    submit_all(course)
    return course


def gone(processes: list[psutil.Process]) -> bool:
    """Whether all of them end."""
    _, alive = psutil.wait_procs(processes, timeout=GIVE_UP_SECONDS)
    return not alive


def test_a_killed_judging_process_costs_nothing(taught: SmallCourse):
    with running(taught, "--workers", "1") as run:
        run.until_ended(1)
        for process in run.judging():
            process.kill()
        run.end()
    assert run.process.returncode == 0, run.message
    assert taught.scores() == SCORES
    assert len(stored(taught)) == len(RUN)


@pytest.mark.exhaustive
def test_whose_work_was_judged_once_more_is_said(taught: SmallCourse):
    hold(taught, "ada")
    with running(taught, "--workers", "1") as run:
        kernel = run.held()
        for process in run.judging():
            process.kill()
        assert gone([kernel])
        run.held().resume()
        events = run.end()
    assert run.process.returncode == 0, run.message
    noted = [event["text"] for event in events if event["event"] == "note"][1:]  # first the gradebook
    assert noted == ["ada: the process that judged it was ended by SIGKILL; it was judged once more, alone"]


@pytest.mark.exhaustive
def test_judging_processes_killed_as_they_start_cost_nothing(taught: SmallCourse):
    with running(taught, "--workers", "2") as run:
        killed: set[int] = set()
        while len(killed) < 2:
            assert run.process.poll() is None, run.process.communicate()
            with suppress(psutil.NoSuchProcess):  # it may be no more than begun
                if len(started := run.judging()) == 2:
                    for process in started:
                        process.kill()
                        killed.add(process.pid)
        events = run.end()
    assert run.process.returncode == 0, run.message
    # Nobody had been judged: whatever was sent to the killed ones was judged by those in their place.
    assert [event["outcome"] for event in events if event.get("student") in RUN] == ["graded"] * len(RUN)
    assert taught.scores() == SCORES
    assert len(stored(taught)) == len(RUN)


def test_after_a_killed_coordinator_only_what_is_missing_is_judged(taught: SmallCourse):
    with running(taught, "--workers", "1") as run:
        run.until_ended(1)
        family = run.family()
        run.process.kill()
        assert gone(family)
    before = {path: path.stat().st_mtime_ns for path in stored(taught)}
    became = grade(taught)
    assert list(became.values()).count("graded") == len(RUN) - len(before)
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert taught.scores() == SCORES


@pytest.mark.exhaustive
def test_after_a_killed_scheduler_only_what_is_missing_is_judged(taught: SmallCourse, tmp_path: Path):
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
    with (
        cluster(1, folder=tmp_path / "first") as (address, (scheduler, *_)),
        running(taught, "--scheduler", address) as run,
    ):
        run.until_ended(1)
        scheduler.kill()
        events = run.end()
    lost = [event["student"] for event in events if event.get("outcome") == "not graded"]
    assert run.process.returncode == 1
    assert lost, run.message
    assert "scheduler" in run.message and "Traceback" not in run.message
    before = stored(taught)
    with cluster(1, folder=tmp_path / "second") as (address, _):
        became = grade(taught, "--scheduler", address)
    assert list(became.values()).count("graded") == len(RUN) - len(before)
    assert taught.scores() == SCORES


@pytest.mark.exhaustive
def test_a_worker_of_a_cluster_that_is_killed_is_done_without(taught: SmallCourse, tmp_path: Path):
    with cluster(2, folder=tmp_path) as (address, (_, victim, _)), running(taught, "--scheduler", address) as run:
        run.until_ended(1)
        victim.kill()
        run.end()
    assert run.process.returncode == 0, run.message
    assert taught.scores() == SCORES
