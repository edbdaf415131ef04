"""The table of a class: it fits its page, and nothing of it is cut."""

import pytest
from rich.console import Console

from syncpoint.report.scores import ClassScores, Mark, Row, render

EXERCISES = {f"test_long_name_{number}": 4.0 for number in range(12)}
MARKS = {name: Mark(2.5, unread=False) for name in EXERCISES}
SCORES = ClassScores("async", EXERCISES, (Row("demo_a_student_with_a", MARKS),))


def shown(width: int) -> list[str]:
    """The lines of the table on a page of this width."""
    screen = Console(width=width)
    with screen.capture() as captured:
        screen.print(render(SCORES, width))
    return captured.get().splitlines()


@pytest.mark.parametrize("width", [80, 100, 120, 200])
def test_a_table_that_fits_cuts_no_name_and_no_points(width: int):
    (row,) = [line.split() for line in shown(width) if "demo_" in line]
    assert row == ["demo_a_student_with_a", *["2.5"] * 12, "30"]


def test_a_wide_page_names_the_exercises():
    assert " ".join(shown(200)).count("long") == 12
    assert not [line for line in shown(200) if "1=long_name_0" in line]


def test_a_narrow_page_numbers_the_exercises_and_says_what_they_are():
    lines = shown(80)
    assert [line.split() for line in lines if line.strip().startswith("student")] == [
        ["student", *map(str, range(1, 13)), "total"]
    ]
    assert [line for line in lines if line.startswith("1=long_name_0  2=long_name_1")]
