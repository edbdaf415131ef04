"""The table of lines that wait, which the grader of `torch_async` has, holds on the device."""

import ast

import nbformat
import numpy as np
import pytest
from classroom import ROOT
from toy_gpu import student

from syncpoint.graders import array
from syncpoint.judge.kernel import Kernel

GRADER = ROOT / "grader_tests" / "torch_async" / "test_sync_functions.py"
NOTEBOOK = ROOT / "source" / "torch_async" / "asynchronous.ipynb"


def table() -> dict[str, bool]:
    """LINES of the grader."""
    for node in ast.parse(GRADER.read_text()).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "LINES":
            return dict(ast.literal_eval(node.value))
    raise AssertionError("the grader has no LINES")


@pytest.mark.parametrize(("line", "waits"), table().items())
def test_a_line_waits_as_the_table_says(gpu_kernel: Kernel, line: str, waits: bool):
    given = student(gpu_kernel, f"device = torch.device('simgpu')\ndef f(x):\n    y = x @ x\n    {line}")
    seen = given.results_gated.call("f", array(np.arange(9.0).reshape(3, 3), device=1))
    assert bool(seen.waits) is waits


def test_the_notebook_asks_for_these_lines_and_no_others():
    cells = nbformat.read(NOTEBOOK, 4).cells
    asked = next(cell.source for cell in cells if cell.id == "ask-sync-functions")
    (row,) = [text for text in asked.splitlines() if " · " in text]
    assert [line.strip("`") for line in row.split(" · ")] == list(table())
