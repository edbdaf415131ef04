"""A course without a clone: a wheel, `syncpoint init` in an empty folder, an engine, a release, grades, an upgrade."""

import ast
import contextlib
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tomllib
import venv
from importlib import metadata
from pathlib import Path

import nbformat
import pytest
from classroom import BIN, ROOT
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from syncpoint.course.folder import Course
from syncpoint.course.wheel import wheel

SCRIPT = """\
#!{python}
import sys
from {module} import {function}
if __name__ == "__main__":
    sys.exit({function}())
"""
COMMANDS = {
    "syncpoint": ("syncpoint.cli", "app"),
    "nbgrader": ("nbgrader.apps.nbgraderapp", "main"),
    "alembic": ("alembic.config", "main"),
}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment into which the wheel was installed.

    What it depends on comes from the environment of the tests, whose editable syncpoint Python does not see there.
    """
    folder = tmp_path_factory.mktemp("installed")
    name, content = wheel(ROOT)
    (folder / name).write_bytes(content)
    venv.create(folder / "venv", with_pip=False)
    python = folder / "venv" / "bin" / "python"
    site = next((folder / "venv" / "lib").glob("python3*")) / "site-packages"
    (site / "libraries.pth").write_text(f"{next((ROOT / '.venv' / 'lib').glob('python3*')) / 'site-packages'}\n")
    pip = [sys.executable, "-m", "pip"] if shutil.which("uv", path=BIN) is None else [BIN / "uv", "pip"]
    subprocess.run([*pip, "install", "--quiet", "--no-deps", "--python", python, folder / name], check=True)
    for command, (module, function) in COMMANDS.items():
        script = folder / "venv" / "bin" / command
        script.write_text(SCRIPT.format(python=python, module=module, function=function))
        script.chmod(0o755)
    return folder / "venv" / "bin"


def run(installed: Path, folder: Path, *command: str) -> str:
    """Run a command of that environment in a folder; returns all that it says."""
    environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")}
    environment["PATH"] = f"{installed}:/usr/local/bin:/usr/bin:/bin"
    done = subprocess.run(
        [installed / command[0], *command[1:]], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, (command, done.stdout, done.stderr)
    return done.stdout + done.stderr


def hand_in(course: Path, assignment: str, student: str) -> None:
    """Submit the reference solutions."""
    work = course / "submitted" / student / assignment
    work.mkdir(parents=True)
    for book in (course / "release" / assignment).glob("*.ipynb"):
        solved = nbformat.read(ROOT / "source" / assignment / book.name, as_version=4)
        sources = {cell.metadata.nbgrader.grade_id: cell.source for cell in solved.cells if "nbgrader" in cell.metadata}
        notebook = nbformat.read(book, as_version=4)
        for cell in notebook.cells:
            if cell.metadata.get("nbgrader", {}).get("solution") and cell.cell_type == "code":
                cell.source = sources[cell.metadata.nbgrader.grade_id]
        nbformat.write(notebook, work / book.name)


def scores(course: Path) -> dict[str, tuple[float, int]]:
    """Points by automatic tests, and the number of failed ones, by student."""
    with sqlite3.connect(course / "gradebook.db") as database:
        return {
            student: (points, failed)
            for student, points, failed in database.execute(
                "SELECT n.student, SUM(v.points), SUM((SELECT COUNT(*) FROM syncpoint_outcomes o"
                " WHERE o.verdict_id = v.id AND o.status != 'passed'))"
                " FROM syncpoint_notebooks n JOIN syncpoint_verdicts v ON v.notebook_id = n.id GROUP BY n.student"
            )
        }


@pytest.mark.exhaustive
def test_a_wheel_an_empty_folder_and_five_commands_grade_a_class(installed: Path, torch_engine: Path, tmp_path: Path):
    output = run(installed, tmp_path, "syncpoint", "init", "autumn", "--with", "torch_async,torch_streams")
    assert "syncpoint engine install torch" in output and str(ROOT) not in output
    course = tmp_path / "autumn"
    assert Course(course).assignments() == ["torch_async", "torch_streams"]
    assert [path for path in course.rglob("*") if path.is_symlink()] == []
    # `syncpoint engine install torch` would fetch 200 MB: the environment that the tests have stands in for it.
    (course / ".venv-torch").symlink_to(torch_engine)
    run(installed, course, "nbgrader", "generate_assignment", "torch_async")
    assert {path.name for path in (course / "release/torch_async/languages").iterdir()} == {"pt_BR", "zh_CN"}
    hand_in(course, "torch_async", "ada")
    run(installed, course, "syncpoint", "grade", "torch_async")
    before = scores(course)
    assert before["ada"][0] > 0 and before["ada"][1] == 0
    # An upgrade by pip, while the course runs: nothing is lost, and nobody is judged again.
    newer = next((installed.parent / "lib").glob("python3*")) / "site-packages" / "syncpoint" / "report" / "scores.py"
    newer.write_text(f"{newer.read_text()}\n# Another version.\n")
    assert "1 from the store" in run(installed, course, "syncpoint", "grade", "torch_async")
    assert scores(course) == before


@pytest.mark.exhaustive
def test_an_engine_is_installed_for_an_assignment_of_ones_own(installed: Path, tmp_path: Path):
    run(installed, tmp_path, "syncpoint", "init", "winter")
    course = tmp_path / "winter"
    output = run(installed, course, "syncpoint", "new", "steps", "--engine", "plain")
    assert "syncpoint engine install plain" in output
    assert "making .venv-plain" in run(installed, course, "syncpoint", "engine", "install", "plain")
    assert "nothing to do" in run(installed, course, "syncpoint", "engine", "install")
    run(installed, course, "syncpoint", "new", "steps", "power")
    run(installed, course, "nbgrader", "generate_assignment", "steps")
    run(installed, course, "syncpoint", "vet", "solutions", "steps/power")


def test_what_is_imported_comes_with_the_wheel():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    declared = {canonicalize_name(Requirement(line).name) for line in project["dependencies"]}
    closure, waiting = set(), list(declared)
    while waiting:
        name = waiting.pop()
        if name not in closure:
            closure.add(name)
            with contextlib.suppress(metadata.PackageNotFoundError):  # of another system
                found = map(Requirement, metadata.requires(name) or ())
                waiting += [canonicalize_name(one.name) for one in found if not one.marker or one.marker.evaluate()]
    inside = re.compile(r"engines/\w+/(inside|compat)|probe/")  # they run in the engines' environments
    imported = {
        name.split(".")[0]
        for path in (ROOT / "syncpoint").rglob("*.py")
        if not inside.search(path.relative_to(ROOT).as_posix())
        for node in ast.walk(ast.parse(path.read_text()))
        for name in _imported(node)
    }
    known = metadata.packages_distributions()
    lacking = {
        name
        for name in imported - {"syncpoint", "torch", "mxnet", "simgpu", *sys.stdlib_module_names}
        if not closure & {canonicalize_name(one) for one in known.get(name, ())}
    }
    assert not lacking


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module] if isinstance(node, ast.ImportFrom) and node.module and not node.level else []
