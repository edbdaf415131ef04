"""Workers that stay between runs: the next one need not start them, and whoever is done with them ends them."""

import sys
import threading

import psutil
import pytest
from classroom import ROOT

from syncpoint.course.folder import Course
from syncpoint.grading.local import LocalWorkers, Warm
from syncpoint.grading.processes import own_name
from syncpoint.grading.workers import ClusterGone
from syncpoint.judge.job import GradingSpec, NotebookJob


def judging() -> set[int]:
    """The judging processes of this one."""
    children = psutil.Process().children(recursive=True)
    return {child.pid for child in children if "syncpoint.judge.judging_main" in " ".join(child.cmdline())}


@pytest.mark.engine
def test_a_run_leaves_warm_workers_to_the_next_one():
    spec, before = Course(ROOT).spec("async"), judging()
    warm, meet = Warm(2, ROOT), threading.Barrier(2)  # two tasks that wait for each other take two workers
    try:
        there = []
        for _ in range(2):
            with LocalWorkers(1, ROOT, spec, lambda *_: None, lambda _: None, warm) as workers:
                assert workers._processes is warm.take(b"", 0)
                for task in [workers._processes.submit(meet.wait) for _ in range(2)]:
                    task.result()
            there.append(judging() - before)
        assert len(there[0]) == 2
        assert there[1] == there[0]
    finally:
        warm.close()
    assert judging() <= before


def judge_one(spec: GradingSpec, warm: Warm) -> None:
    with LocalWorkers(1, ROOT, spec, lambda *_: None, lambda _: None, warm) as workers:
        workers.send("job", NotebookJob("work", ()))
        workers.next()


@pytest.mark.engine
def test_workers_that_did_not_start_are_made_anew_for_the_next_run(monkeypatch: pytest.MonkeyPatch):
    spec = Course(ROOT).spec("async")
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", "/there/is/no/python")
        warm = Warm(1, ROOT)
        with pytest.raises(ClusterGone, match="do not start"):
            judge_one(spec, warm)
    try:
        with LocalWorkers(1, ROOT, spec, lambda *_: None, lambda _: None, warm) as workers:
            assert workers._processes.submit(own_name).result() == "worker 1"
    finally:
        warm.close()
