"""probe.run: a scenario's result of running student code, and how the run ends."""

from collections.abc import Iterator

import pytest
from classroom import ENGINE

from syncpoint.judge.kernel import Kernel
from syncpoint.judge.student import Deadline, Student
from syncpoint.observe.errors import StudentError
from syncpoint.sandbox.spec import SandboxSpec

SCENARIOS = b"""
import numpy as np


def gates(probe, function):
    x, y = probe.array(np.ones(3)), probe.array(np.ones(3))
    with probe.run() as seen:
        first, second = seen.close(x, "x"), seen.close(y, "y")
        returned = seen.call(probe.find(function), x, y)
        opened = [first.is_open, second.is_open]
    return seen.report(returned=returned, opened=opened, after=[first.is_open, second.is_open])


def pauses(probe):
    x = probe.array(np.ones(3))
    with probe.run() as seen:
        with seen.traced():
            x + 1
            with seen.paused():
                x * 2
            x - 1
    return seen.report()


def long(probe, operations):
    arrays = [probe.array(np.ones(1)) for _ in range(5)]
    with probe.run() as seen:
        seen.call(probe.find("sums"), arrays, operations)
    return seen.report()


kept = []


def breaks(probe):
    x = probe.array(np.ones(3))
    with probe.run() as seen:
        kept.append(seen.close(x, "x"))
        seen.call(probe.find("double"), x)
        raise LookupError("the scenario broke")


def after_the_break(probe):
    x = probe.array(np.ones(3))
    with probe.run() as seen:
        seen.call(probe.find("double"), x)
    return seen.report(opened=[gate.is_open for gate in kept])
"""
NOTEBOOK = """
from mxnet import nd
def waits(x, y):
    return float((x * 1).sum().asscalar())
def fails(x, y):
    raise ValueError
def fails_later(x, y):
    nd.random.normal(0, -1, shape=(2, 2))
def double(x):
    return x * 2
def sums(arrays, operations):
    for _ in range(operations):
        nd.add_n(*arrays)
"""


@pytest.fixture(scope="module")
def student() -> Iterator[Student]:
    """A student whose assignment has these scenarios."""
    with Kernel(SandboxSpec(ENGINE, scenarios=SCENARIOS)) as kernel:
        assert kernel.execute(NOTEBOOK, 300).content["status"] == "ok"
        yield Student(kernel, Deadline(60))


def test_a_wait_opens_the_gate_that_it_needs_and_the_end_of_the_block_all(student):
    seen = student.observe("gates", function="waits")
    assert (seen["returned"], seen["opened"], seen["after"]) == (3.0, [True, False], [True, True])
    assert [event.opened for event in seen["events"] if event.opened] == [("x",)]


@pytest.mark.parametrize("function", ["fails", "fails_later"])
def test_an_error_is_in_the_report_also_one_that_shows_only_at_the_end(student, function):
    with pytest.raises(StudentError):
        student.observe("gates", function=function)


def test_what_is_done_in_a_pause_is_not_in_the_log(student):
    names = [event.label for event in student.observe("pauses")["events"] if event.kind == "enqueue"]
    assert len(names) == 2 and not [name for name in names if "mul" in name.lower()]


def test_a_scenario_that_breaks_leaves_no_gate_behind(student):
    with pytest.raises(StudentError):
        student.observe("breaks")
    seen = student.observe("after_the_break")
    assert seen["opened"] == [True]
    assert seen["events"]


@pytest.mark.exhaustive
def test_a_log_crosses_whole_also_a_full_one_of_operations_with_many_operands(student):
    events = student.observe("long", operations=19_000)["events"]
    assert len([event for event in events if len(event.inputs) == 5]) == 19_000


@pytest.mark.exhaustive
def test_a_log_that_is_not_whole_says_how_much_is_too_much(student):
    with pytest.raises(StudentError, match="20000 operations"):
        student.observe("long", operations=20_001)
