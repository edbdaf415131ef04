"""Titles that a platform reads as something else."""

import pytest

from syncpoint.platforms.canvas import CanvasExport
from syncpoint.platforms.moodle import MoodleExport

ODD = [
    "Current Score", "Final Score", "Final Score (9)", "Final project (4711)", "Unposted Final Grade", "Override Score",
        "My Override Status",
    "final grade", "ID", "Student", "SIS User ID", "SIS Login ID", "Section", "Notes", "Root Account", "", "  ",
    "=1+1", " Homework", "Homework ", "STUDENT", "Assignments Current Points", "\uff2eotes",
]  # fmt: skip
FINE = ["Homework 1 (4711)", "torch_async", "Finally", "Student work", "Identity", "Section 2 exercises"]


@pytest.mark.parametrize("title", ODD)
def test_canvas_warns_of_a_title_that_it_reads_as_something_else_and_says_which_to_choose(title: str):
    export = CanvasExport(titles={"a": title, "b": "Homework 2"})
    (output,) = export.odd_titles(["a", "b"])
    assert repr(title) in output and "Homework a" in output


def test_other_titles_are_no_trouble():
    export = CanvasExport(titles={title: title for title in FINE})
    assert list(export.odd_titles(FINE)) == [] == list(MoodleExport().odd_titles(FINE))


@pytest.mark.parametrize("name", ["ID number", "Email address", "surname", "Course total (Real)", "feedback"])
def test_moodle_warns_of_a_name_that_its_own_columns_have(name: str):
    assert name in "".join(MoodleExport().odd_titles(["async", name]))
