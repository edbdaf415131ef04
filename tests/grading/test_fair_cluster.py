"""Courses that share a cluster: what one of them has waiting does not hold up the other's."""

import contextlib
from collections import deque
from types import SimpleNamespace

import pytest
from classroom import ROOT
from distributed import LocalCluster
from held_judge import begun, is_there, judge_nothing, may_end

from syncpoint.course.folder import Course
from syncpoint.grading import cluster
from syncpoint.judge.job import NotebookJob

MOST = 4  # submissions of a course that are out for each worker, as docs/how-to/grade.md promises


@pytest.mark.parametrize("few", [1, 20])
def test_a_course_does_not_wait_for_the_hundreds_of_another_one(monkeypatch: pytest.MonkeyPatch, few: int):
    monkeypatch.setattr(cluster, "judge", judge_nothing)
    monkeypatch.setattr(cluster, "importlib", SimpleNamespace(util=SimpleNamespace(find_spec=is_there)))
    begun.clear()
    may_end.clear()
    one_worker = {"n_workers": 1, "threads_per_worker": 1, "processes": False}
    with contextlib.ExitStack() as stack:
        local = stack.enter_context(
            LocalCluster(**one_worker, protocol="tcp://", host="127.0.0.1", dashboard_address=None)
        )
        stack.callback(may_end.set)
        courses = {}
        for name, size in (("full", 300), ("other", few)):
            client = stack.enter_context(cluster.cluster_at(local.scheduler_address))
            pool = cluster.ClusterPool(client, Course(ROOT).spec("async"), *[lambda *_: None] * 3)
            courses[name] = stack.enter_context(pool), deque(f"{name} {number}" for number in range(size))

        def fill() -> None:
            for pool, waiting in courses.values():
                while waiting and pool.free > 0:
                    pool.send(waiting[0], NotebookJob(waiting.popleft(), ()))

        fill()
        while len(local.scheduler.tasks) < sum(len(pool.out) for pool, _ in courses.values()):
            courses["other"][0].look()
        may_end.set()
        while courses["other"][0].busy or courses["other"][1]:
            for pool, _ in courses.values():
                while pool.replied:
                    pool.receive()
            fill()
    assert begun.index(f"other {few - 1}") <= MOST + 2 * few
