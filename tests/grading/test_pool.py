"""The pool: threads that each have a judging process, and outlive the runs for which they judge."""

import subprocess
import sys
import threading
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import pytest
from classroom import ROOT

from syncpoint.course.folder import Course
from syncpoint.grading.pool import ATTEMPTS, JudgingThreads, Pool
from syncpoint.judge.job import JudgeReply, NotebookJob, to_json

JOB = NotebookJob("work", ())


def pool(executor: Executor, count: int = 1) -> Pool:
    return Pool(executor, count, Course(ROOT).spec("async"), lambda *_: None)


def test_a_run_leaves_its_judging_processes_to_the_next_one_and_the_last_one_ends_them():
    meet = threading.Barrier(2)  # two tasks that wait for each other take two threads

    def started() -> subprocess.Popen[bytes]:
        process, _ = judges.process().start()
        meet.wait()
        return process

    with JudgingThreads(2, ROOT) as judges:
        there = []
        for _ in range(2):
            with pool(judges, 2):
                there.append({task.result() for task in [judges.submit(started) for _ in range(2)]})
        assert len(there[0]) == 2 and all(process.poll() is None for process in there[0])
        assert there[1] == there[0]
    assert all(process.poll() is not None for process in there[0])


def test_processes_that_do_not_start_are_said_and_started_when_they_can_be(monkeypatch: pytest.MonkeyPatch):
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", "/there/is/no/python")
        judges = JudgingThreads(1, ROOT)
        with judges, pool(judges) as jobs:
            jobs.send("job", JOB)
            assert "/there/is/no/python" in jobs.receive()[1].fault
            patch.undo()
            jobs.send("job", JOB)
            key, answer = jobs.receive()
    assert (key, "no/python" in answer.fault) == ("job", False)


class Says(Executor):
    """Says the same of every job, at once."""

    def __init__(self, *answers: JudgeReply | Exception):
        self.answers, self.asked = list(answers), 0

    def submit(self, *_: Any, **__: Any) -> "Future[Any]":
        """Answer; the last one for ever."""
        self.asked += 1
        output, future = self.answers[min(self.asked, len(self.answers)) - 1], Future[Any]()
        if isinstance(output, JudgeReply):
            future.set_result(("worker 1", to_json(output), ""))
        else:
            future.set_exception(output)
        return future


def test_what_goes_wrong_is_tried_once_more():
    says = Says(OSError("no room"), JudgeReply(None, "a fault"))
    with pool(says) as jobs:
        jobs.send("job", JOB)
        assert jobs.receive() == ("job", JudgeReply(None, "a fault", worker="worker 1"))
    assert says.asked == ATTEMPTS


def test_a_job_whose_judges_died_is_not_tried_again():
    says = Says(JudgeReply(None, "it died", died=True))
    with pool(says) as jobs:
        jobs.send("job", JOB)
        assert jobs.receive()[1].died
    assert says.asked == 1


def test_a_machine_that_judges_nothing_is_not_asked_for_everybody():
    says = Says(JudgeReply(None, "there is no sandbox", unusable=True))
    with pool(says) as jobs:
        for number in range(20):
            jobs.send(str(number), JOB)
        faults = {jobs.receive()[1].fault for _ in range(20)}
        jobs.send("late", JOB)
        faults.add(jobs.receive()[1].fault)
        assert not jobs.busy
    assert faults == {"there is no sandbox"}
    assert says.asked < 2 * 20


def test_an_answer_that_is_invalid_or_from_another_notebook_is_a_fault(tmp_path: Path):
    class Nonsense(Says):
        def submit(self, *_: Any, **__: Any) -> "Future[Any]":
            future = Future[Any]()
            future.set_result(("worker 1", b"{}", ""))
            return future

    with pool(Nonsense()) as jobs:
        jobs.send("job", JOB)
        assert "this is no JudgeReply" in jobs.receive()[1].fault


def test_an_answer_that_comes_when_its_job_has_been_given_up_is_not_waited_for():
    class Late(Says):
        def submit(self, *_: Any, **__: Any) -> "Future[Any]":
            self.future = Future[Any]()
            return self.future

    late = Late()
    with pool(late) as jobs:
        jobs.send("job", JOB)
        jobs.gone = "the scheduler has gone"
        jobs.submit(*jobs.out)
        assert jobs.replied
        assert jobs.receive() == ("job", JudgeReply(None, "the scheduler has gone"))
        late.future.set_result(("worker 1", to_json(JudgeReply(None, "a fault")), ""))
        assert not jobs.replied
