"""Visible tests on the bank: right solutions pass them all, and each test has wrong ones that it does not let pass.

All of the bank: ``pytest tests/check/test_visible_bank.py -m exhaustive``.
"""

import ast
import io
import json
import os
import shutil
import subprocess
import zipfile
from collections import defaultdict
from pathlib import Path

import nbformat
import pytest
from classroom import ROOT

from syncpoint.course.check_wheel import check_wheel
from syncpoint.course.folder import Course
from syncpoint.course.visible import ABOUT, visible_tests

VISIBLE = {name: visible_tests(Course(ROOT), name) for name in Course(ROOT).assignments()}
ASSIGNMENTS = [name for name, tests in VISIBLE.items() if any(module.startswith("test_") for module in tests)]
HELPER = ROOT / "tests" / "helpers" / "visible_bank.py"
BANKS = {name: Course(ROOT).graders(name).bank for name in ASSIGNMENTS}
# Exercises that are about order, and whose order a check in the notebook does not see.
NONE = {
    "async_np/is_blocker",  # a table of names
    "async_np/wait_difference",  # seconds
}
GATES = {"results_gated", "gated", "gate_results", "close"}  # each of them closes gates
Found = dict[str, list[list]]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the content of the wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    with zipfile.ZipFile(io.BytesIO(check_wheel()[1])) as archive:
        archive.extractall(folder)
    return folder


def cells_before(assignment: str, exercise: str) -> list[str]:
    """The code that an exercise's solution finds: imports, what is given, and the reference solutions before it."""
    for path in sorted((ROOT / "source" / assignment).glob("*.ipynb")):
        cells = []
        for cell in nbformat.read(path, as_version=4).cells:
            about = cell.metadata.get("nbgrader", {})
            name = about.get("grade_id", "")
            if cell.cell_type != "code" or "check" in name or about.get("grade"):
                continue
            if about.get("solution") and name == exercise:
                return cells
            if name:
                cells.append(cell.source)
    raise AssertionError(f"{assignment} has no exercise {exercise}")


def run(
    assignment: str, jobs: dict[str, list[Path]], wheel: Path, folder: Path, **environment: str
) -> dict[str, Found]:
    """What the visible tests of an assignment find in these solutions: exercise -> file -> [passed, what was said]."""
    course = Course(ROOT)
    engine = course.settings_of(assignment).engine
    home, visible = folder / "home", folder / "visible"
    shutil.copytree(ROOT / "source" / assignment, home)
    visible.mkdir()
    for name, text in VISIBLE[assignment].items():
        (visible / name).write_text(text)
    (visible / ABOUT).write_text(json.dumps({"engine": engine}))
    given = [[name, cells_before(assignment, name), [str(path) for path in files]] for name, files in jobs.items()]
    (folder / "jobs.json").write_text(json.dumps(given))
    python = ROOT / f".venv-{engine}" / "bin" / "python"
    command = [python, HELPER, wheel, visible, home, folder / "jobs.json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | environment)
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, Found] = defaultdict(dict)
    for exercise, name, output in json.loads(done.stdout):
        found[exercise][name] = output
    return found


def solutions(assignment: str, exercise: str, kind: str) -> list[Path]:
    """The right or the wrong solutions of an exercise."""
    return sorted((BANKS[assignment] / exercise).glob(f"*_{kind}_*.py"))


def exercises(assignment: str) -> list[str]:
    """The exercises that have visible tests."""
    return sorted(name[len("test_") : -len(".py")] for name in VISIBLE[assignment] if name.startswith("test_"))


def names_in(module: str, modules: dict[str, str]) -> set[str]:
    """The attributes and keyword arguments that a module uses, and those that it imports of these."""
    nodes = list(ast.walk(ast.parse(modules[module])))
    names = {node.arg for node in nodes if isinstance(node, ast.keyword) and node.arg}
    names |= {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    helpers = {f"{node.module}.py" for node in nodes if isinstance(node, ast.ImportFrom)} & modules.keys()
    return names.union(*(names_in(helper, modules) for helper in helpers))


def check_right(found: dict[str, Found]) -> None:
    """Fail unless all right solutions pass."""
    wrong = {
        (exercise, name): output
        for exercise, files in found.items()
        for name, output in files.items()
        if "_ok_" in name and not all(passed for passed, _ in output)
    }
    assert wrong == {}


def never_failed(found: dict[str, Found]) -> list[tuple[str, int]]:
    """The visible tests, by exercise and place, that let all wrong solutions pass."""
    return [
        (exercise, place)
        for exercise, files in found.items()
        for place in range(len(next(iter(files.values()))))
        if all(output[place][0] for name, output in files.items())
    ]


@pytest.mark.exhaustive
@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_every_right_solution_passes_and_each_test_fails_a_wrong_one(assignment: str, wheel: Path, tmp_path: Path):
    jobs = {name: solutions(assignment, name, "ok") for name in exercises(assignment)}
    # Of each visible test, a wrong solution that it does not let pass, one a line.
    bank = BANKS[assignment]
    wrong = (bank / "visible.txt").read_text().split()
    for name in jobs:
        jobs[name] = jobs[name] + [bank / path.partition("/")[2] for path in wrong if path.split("/")[1] == name]
    found = run(assignment, jobs, wheel, tmp_path)
    check_right(found)
    assert never_failed(found) == []
    output = [text for files in found.values() for tests in files.values() for passed, text in tests if not passed]
    assert all(output)
    assert not any("This check itself" in text for text in output)


def test_the_check_works_where_unix_sockets_fork_and_alarms_are_missing(wheel: Path, tmp_path: Path):
    jobs = {"loops": [*solutions("torch_async", "loops", "ok")[:1], *solutions("torch_async", "loops", "bad")[:1]]}
    places = [ROOT / "simgpu" / "tests" / "without_unix", ROOT / "simgpu" / "src"]
    found = run("torch_async", jobs, wheel, tmp_path, PYTHONPATH=os.pathsep.join(map(str, places)))
    check_right(found)
    assert [all(passed for passed, _ in tests) for tests in found["loops"].values()] == [True, False]


def test_every_exercise_about_order_has_a_visible_test():
    listed = {
        line.rpartition("/")[0]
        for path in ROOT.glob("grader_tests/*/bank/order.txt")
        for line in path.read_text().split()
    }
    # How much memory is taken, as torch_memory asks, is not order.
    listed = {name for name in listed if not name.startswith("torch_memory")}
    assert listed - NONE == {f"{assignment}/{name}" for assignment in ASSIGNMENTS for name in exercises(assignment)}


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_visible_tests_about_order_hold_something_back(assignment: str):
    """Who asks what is waited for, with no gate closed, would see a fast machine and not the order."""
    for exercise in exercises(assignment):
        assert not GATES.isdisjoint(names_in(f"test_{exercise}.py", VISIBLE[assignment])), exercise


def test_a_visible_test_without_a_gate_is_found():
    ungated = {"test_x.py": "seen = student.call('x')", "test_y.py": "from help import h\nh()", "help.py": "a.close(b)"}
    assert [GATES.isdisjoint(names_in(name, ungated)) for name in ("test_x.py", "test_y.py")] == [True, False]
