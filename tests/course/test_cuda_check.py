"""The page that compares simgpu with a card: what it says without one, and that it has a row for each program."""

import ast
import importlib.util
from types import ModuleType

import pytest
from classroom import ROOT

OURS = {"semantics": {"it waits": "yes"}, "waits": {"x | y": "1", "x[c]": "2"}, "notebooks": {"a/b": "3 cells ran"}}
CARD = {"name": "GeForce", "torch": "2.13.0+cu130", "cuda": "13.0"}


@pytest.fixture(scope="module")
def check() -> ModuleType:
    """The script, which needs no PyTorch until it runs something."""
    spec = importlib.util.spec_from_file_location("cuda_check", ROOT / "scripts" / "cuda_check.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def rows(page: str) -> dict[str, list[str]]:
    """The cells of each row, by the first one."""
    cells = [[cell.strip() for cell in line.split(" |")] for line in page.splitlines() if line.startswith("| ")]
    return {first.removeprefix("| ").strip("`"): rest for first, *rest in cells}


def test_without_a_card_its_column_says_not_run(check: ModuleType):
    found = rows(check.page(OURS, None, {}, "make cuda-check"))
    assert found["it waits"][:2] == ["yes", "not run"]
    assert found["a/b"][:2] == ["3 cells ran", "not run"]
    assert "No card was available" in check.page(OURS, None, {}, "make cuda-check")


def test_what_differs_is_marked_with_its_reason_and_what_is_equal_is_not(check: ModuleType):
    theirs = {"semantics": {"it waits": "no"}, "waits": {"x | y": "1", "x[c]": "1"}, "notebooks": {"all": "ended"}}
    page = check.page(OURS, theirs, CARD, "make cuda-check")
    found = rows(page)
    assert "Card: GeForce, 2.13.0+cu130, CUDA 13.0." in page
    assert found["it waits"][:3] == ["yes", "no", "differs: not explained yet"]
    assert found["x[c]"][:3] == ["2", "1", f"differs: {check.KNOWN['x[c]']}"]
    assert found["a/b"][:2] == ["3 cells ran", "ended"]


def test_the_page_has_a_row_for_each_program_and_operation(check: ModuleType):
    tree = ast.parse((ROOT / "scripts" / "cuda_programs.py").read_text())
    values = {node.targets[0].id: node.value for node in tree.body if isinstance(node, ast.Assign)}
    operations = values["WAITS"].func.value.func.value.value.strip().splitlines()
    documented = {node.name: ast.get_docstring(node) for node in tree.body if isinstance(node, ast.FunctionDef)}
    programs = [documented[node.id] for node in values["PROGRAMS"].elts]
    notebooks = [f"{path.parent.name}/{path.stem}" for path in check.NOTEBOOKS]
    assert len(operations) == 32
    assert {*operations, *(p.strip("`") for p in programs), *notebooks} <= set(rows(check.PAGE.read_text()))
