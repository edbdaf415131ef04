"""Files that a student left behind are opened in a separate sandbox, in which no student code has run."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from classroom import ENGINE

from syncpoint.core.messages import Message
from syncpoint.judge import student as student_module
from syncpoint.judge.errors import DeadKernelError
from syncpoint.judge.faults import Fault
from syncpoint.judge.kernel import Kernel, Reply
from syncpoint.judge.student import Deadline, Student
from syncpoint.observe.errors import ProbeError
from syncpoint.sandbox.spec import SandboxSpec

SCENARIOS = b"""
import os


def look(probe, names, paths):
    here = [name for name in names if name in probe.namespace]
    return {"names": here, "paths": [path for path in paths if os.path.exists(path)], "pid": os.getpid()}


def size(probe, data):
    return {"size": len(data)}


def end(probe):
    os._exit(3)
"""
NAMES, PATHS = ["double", "os"], ["/tmp/left", "/home/student/own.py", "own.py"]


@pytest.fixture(scope="module")
def student() -> Iterator[Student]:
    """A student with a function, a file beside the notebook, and one that was left behind."""
    spec = SandboxSpec(ENGINE, files=(("own.py", b"x = 1"),), scenarios=SCENARIOS)
    with Kernel(spec) as kernel:
        source = "import os\nopen('/tmp/left', 'w').close()\ndef double(x):\n    return 2 * x"
        assert kernel.execute(source, 300).content.get("status") == "ok"
        yield Student(kernel, Deadline(60))


def test_nothing_of_the_students_is_there(student: Student):
    assert student.observe("look", names=NAMES, paths=PATHS)["names"] == NAMES
    with student.separate_sandbox() as away:
        seen = away.observe("look", names=NAMES, paths=PATHS)
    assert seen["names"] == [] and seen["paths"] == []


def test_it_gets_what_the_judge_hands_on(student: Student):
    with student.separate_sandbox() as away:
        assert away.observe("size", data=np.zeros(1000, np.uint8))["size"] == 1000


def test_what_is_asked_there_takes_none_of_the_students_time(student: Student, monkeypatch: pytest.MonkeyPatch):
    with student.separate_sandbox() as away:
        left = student.deadline.remaining
        clock = student_module.time.monotonic
        ask = away.kernel.ask

        def slow(*arguments: Any) -> Reply:
            monkeypatch.setattr(student_module.time, "monotonic", lambda: clock() + 1000)
            return ask(*arguments)

        monkeypatch.setattr(away.kernel, "ask", slow)
        away.observe("size", data=np.zeros(1, np.uint8))
        assert left - 10 < student.deadline.remaining <= left


def test_whatever_ends_it_the_student_goes_on(student: Student):
    with student.separate_sandbox() as away, pytest.raises(DeadKernelError):
        away.observe("end")
    assert student.call("double", 4).returned == 8


def test_one_that_cannot_start_is_no_fault_of_the_students(student: Student, monkeypatch: pytest.MonkeyPatch):
    def start(self: Kernel) -> Kernel:
        raise DeadKernelError(Fault("died", Message.of("not_started", seconds=60)))

    monkeypatch.setattr(student_module.Kernel, "__enter__", start)
    with pytest.raises(ProbeError), student.separate_sandbox():
        pass


def test_what_its_start_takes_is_not_the_students_time(monkeypatch: pytest.MonkeyPatch):
    now = 0.0
    monkeypatch.setattr(student_module.time, "monotonic", lambda: now)
    notebook = Deadline(40)
    exercise = Deadline(30, outer=notebook)
    with exercise.stopped():
        now = 5.0
    assert exercise.remaining == 30
    with exercise.stopped():
        now = 20.0
    assert exercise.remaining == notebook.remaining == 20


def test_one_that_was_killed_has_the_notebook_judged_again(student: Student):
    """As where the student's own kernel is killed: the system may have done it, so it is no result yet."""
    assert not student.kernel.lost
    with student.separate_sandbox() as away:
        away.kernel._process.kill()
        with pytest.raises(DeadKernelError):
            away.observe("look", names=NAMES, paths=PATHS)
    assert student.kernel.lost
    student.kernel.helper_loss = ""
