"""What the cells of a notebook leave for each other while the judge runs them."""

import pytest
from classroom import ENGINE, nbgrader_cell
from nbformat.v4 import new_code_cell, new_notebook

from syncpoint.judge.submission import SubmissionRun
from syncpoint.sandbox.spec import SandboxSpec

pytestmark = [pytest.mark.engine, pytest.mark.sandbox]

SOLUTION = "def helper(x):\n    return 2 * x\ndef double(x):\n    return helper(x)"
CHECK = "result = double(2)\nhelper, found = result, 1\nassert helper == 4\ndel SIZE"


def run(*cells: tuple[str, str], then: str) -> str:
    """What a last cell prints after cells of these kinds: "solution", "locked" or "grade"."""
    notebook = new_notebook(
        cells=[
            nbgrader_cell(new_code_cell, source, f"cell-{number}", points=1, **{kind: True})
            for number, (kind, source) in enumerate(cells)
        ]
        + [new_code_cell(then)]
    )
    with SubmissionRun(notebook, SandboxSpec(ENGINE)) as submission:
        submission.advance_to(len(notebook.cells))
        assert submission.incidents == []
    return "".join(output["text"] for output in notebook.cells[-1].outputs)


def test_a_visible_check_does_not_take_the_names_of_the_solution_that_it_tries():
    cells = ("solution", f"SIZE = 3\n{SOLUTION}"), ("locked", CHECK), ("grade", "")
    assert run(*cells, then="print(double(5), SIZE, result, found)") == "10 3 4 1\n"


@pytest.mark.parametrize(
    "cells",
    [
        [("locked", "size = 1"), ("locked", "size = 2"), ("solution", "pass"), ("grade", "")],
        [("solution", "size = 1"), ("grade", ""), ("locked", "size = 2"), ("solution", "pass"), ("grade", "")],
        [("solution", "size = 1"), ("solution", "size = 2"), ("grade", "")],
    ],
    ids=["before every solution", "between two exercises", "in a solution"],
)
def test_everywhere_else_a_name_is_what_was_given_to_it_last(cells: list[tuple[str, str]]):
    assert run(*cells, then="print(size)") == "2\n"
