"""The bench: what one submission costs, held against the budget of its assignment."""

import re

import pytest
from classroom import SmallCourse
from rich.console import Console
from small_class import CLASS, add_class, syncpoint

from syncpoint.bench import Comparison, Measured, table
from syncpoint.demo.sample_class import Budget
from syncpoint.judge.verdict import Cost


def shown(seconds: float, memory_mib: float) -> str:
    """The table of three submissions of 10 s and 300 MiB each, with its colours, under a budget."""
    costs = [Cost(kernel_start=2, kernel_busy=4, kernel_stop=1, total=7.5, peak_mib=300)] * 3
    seen = Comparison("async", Budget(seconds, memory_mib), Measured(30, 0), costs, Measured(24, 200))
    screen = Console(width=100, color_system="standard", force_terminal=True)
    with screen.capture() as captured:
        screen.print(table(seen))
    return captured.get()


@pytest.mark.parametrize(("seconds", "colour"), [(10, 32), (9.9, 31)])
def test_wall_is_held_against_the_budget(seconds: float, colour: int):
    assert f"\x1b[{colour}m10.00 s\x1b" in shown(seconds, 1024)


@pytest.mark.parametrize(("memory_mib", "colour"), [(300, 32), (299, 31)])
def test_memory_is_held_against_the_budget(memory_mib: float, colour: int):
    assert f"\x1b[{colour}m300 MiB\x1b" in shown(20, memory_mib)


@pytest.mark.engine
@pytest.mark.sandbox
@pytest.mark.slow
def test_the_bench_measures_both_ways_and_names_the_budget(course: SmallCourse):
    add_class(course, CLASS.replace("seconds = 60", "seconds = 77", 1))
    status, said, errors = syncpoint(course, "bench")
    assert status == 0, errors
    assert re.search(r"one submission of async, median of 3 +Syncpoint +target +stock nbgrader", said)
    assert re.search(r"^ *wall +[\d.]+ s +<= 77 s +[\d.]+ s", said, re.MULTILINE)
    assert re.search(r"^ *most memory of the kernel +\d+ MiB +<= 1024 MiB +\d+ MiB", said, re.MULTILINE)
