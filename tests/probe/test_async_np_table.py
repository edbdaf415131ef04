"""The tables by which `is_blocker` is graded, against the engine: each line of the notebook with a gated array."""

import importlib.util
from types import ModuleType

import nbformat
import numpy as np
import pytest
from classroom import ROOT

from syncpoint.graders import array

NOTEBOOK = ROOT / "source" / "async_np" / "np_computation.ipynb"
GRADER = ROOT / "grader_tests" / "async_np" / "test_is_blocker.py"


def given(identity: str) -> str:
    """The source of a cell of the notebook."""
    return next(cell.source for cell in nbformat.read(NOTEBOOK, as_version=4).cells if cell.id == identity)


def imports() -> str:
    """The imports of the notebook, but for what lies beside it and draws."""
    beside = {path.stem for path in NOTEBOOK.parent.glob("*.py")}
    lines = given("imports").splitlines()
    return "\n".join(line for line in lines if not beside.intersection(line.split()))


def load_grader() -> ModuleType:
    """The grader module, imported as a plain module."""
    spec = importlib.util.spec_from_file_location("test_is_blocker_under_proof", GRADER)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def snippets() -> dict[str, str]:
    """The names and lines of the notebook."""
    head = given("snippets").split("\n\n\n")[0]
    found: dict[str, dict[str, str]] = {}
    exec(head, found)
    return found["SNIPPETS"]


BLOCKS = set().union(*load_grader().BLOCKS.values())
QUEUES = set().union(*load_grader().QUEUES.values())


def run(student_of, name):
    """Run one line on a gated array, as the notebook's own helper does."""
    source = "\n".join([imports(), given("snippets"), "def f(x):", f"    run_snippet({name!r}, x)"])
    return student_of(source).using("np").call("f", array(np.ones((4, 4)), gated=True))


def test_the_notebook_names_what_the_grader_asks():
    assert set(snippets()) == BLOCKS | QUEUES and not BLOCKS & QUEUES


@pytest.mark.parametrize("name", sorted(BLOCKS))
def test_what_the_table_calls_a_blocker_does_not_return_while_its_array_is_pending(student_of, name):
    seen = run(student_of, name)
    assert [event.opened for event in seen.events if event.opened] == [("argument 0",)]


@pytest.mark.parametrize("name", sorted(QUEUES))
def test_what_the_table_calls_no_blocker_returns_while_its_array_is_pending(student_of, name):
    assert run(student_of, name).pending == ("argument 0",)
