"""The repository itself: release, sources, graders, bank and requirement files agree with each other."""

import ast
import builtins
import json
import re
import shutil
import subprocess
import symtable
import tomllib
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import nbformat
import pytest
import releases
from classroom import ROOT, SmallCourse
from markdown_it import MarkdownIt
from nbformat.v4 import new_markdown_cell
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from syncpoint.course.folder import Course
from syncpoint.course.release import differing_files, in_git

COURSE = Course(ROOT)
NOTEBOOKS = sorted((ROOT / "source").rglob("*.ipynb"))
ASSIGNMENTS = sorted({path.parent.name for path in NOTEBOOKS})
EXERCISES = [(assignment, exercise) for assignment in ASSIGNMENTS for exercise in COURSE.source(assignment).exercises()]
GRADERS = sorted({grader for assignment in ASSIGNMENTS for grader in COURSE.graders(assignment).tests()})


def _read(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text())


def _name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


@pytest.fixture(scope="module")
def regenerated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The release that generate_assignment makes from the sources of the repository now."""
    root = Course(ROOT).copy_to(tmp_path_factory.mktemp("regenerated") / "course").root
    for assignment in ASSIGNMENTS:
        SmallCourse(root).must_run("nbgrader", "generate_assignment", assignment)
    return root / "release"


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_the_release_is_current(assignment: str):
    """It was made from what there is now, and is as it was made."""
    digests = _read(releases.DIGESTS)
    assert list(digests) == ASSIGNMENTS
    assert digests[assignment] == releases.digest(COURSE, assignment), (
        f"release/{assignment} is out of date, or was changed by hand: run `make releases`"
    )


@pytest.mark.exhaustive
@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_the_release_equals_what_is_generated(regenerated: Path, assignment: str):
    """Byte by byte, in each language; `make releases` makes it again."""
    assert differing_files(regenerated / assignment, ROOT / "release" / assignment) == []


def _with_a_title(root: Path) -> Course:
    """The course with a text that the release writes points and time into."""
    path = root / "source" / "async" / "work.ipynb"
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.insert(0, new_markdown_cell("# Work", id="title"))
    nbformat.write(notebook, path)
    return Course(root)


def _source(root: Path) -> None:
    path = root / "source" / "async" / "work.ipynb"
    path.write_text(path.read_text().replace("Why?", "Why not?"))


def _visible(root: Path) -> None:
    folder = root / "grader_tests" / "async" / "visible"
    folder.mkdir()
    (folder / "test_double.py").write_text("")


def _points_and_time(root: Path) -> None:
    (root / "grader_tests" / "async" / "assignment.toml").write_text("minutes = 60\n")


def _released(root: Path) -> None:
    (root / "release" / "async").mkdir(parents=True)
    (root / "release" / "async" / "work.py").write_text("")


def _hidden(root: Path) -> None:
    (root / "grader_tests" / "async" / "test_double.py").write_text("")


def _limits(root: Path) -> None:
    with (root / "nbgrader_config.py").open("a") as config:
        config.write("c.GradeSubmission.cell_seconds = 3\n")


def _data(root: Path) -> None:
    (root / "source" / "async" / "data.csv").write_text("1")


@pytest.mark.parametrize("change", [_source, _visible, _points_and_time, _released])
def test_the_digest_of_a_release_changes_with_what_it_is_made_from(tmp_path: Path, change: Callable[[Path], None]):
    course = _with_a_title(SmallCourse.make(tmp_path / "course").root)
    before = releases.digest(course, "async")
    change(course.root)
    assert releases.digest(course, "async") != before


def test_the_digest_of_a_release_stays_when_only_judging_or_data_change(tmp_path: Path):
    course = _with_a_title(SmallCourse.make(tmp_path / "course").root)
    before = releases.digest(course, "async")
    for change in (_hidden, _limits, _data):
        change(course.root)
    assert releases.digest(course, "async") == before


@pytest.mark.skipif(shutil.which("git") is None, reason="there is no git")
def test_git_keeps_of_a_release_what_the_digest_covers():
    """Wheels, lists of what to install, and data are added when a release is made."""
    listed = subprocess.run(["git", "ls-files", "release"], cwd=ROOT, capture_output=True, text=True, check=True)
    places = [Path(line) for line in listed.stdout.splitlines()]
    assert [path for path in places if not in_git(path)] == [Path("release/README.md")]


@pytest.mark.parametrize("source", NOTEBOOKS, ids=_name)
def test_the_release_holds_no_solution_and_no_hidden_part(source: Path):
    folder = ROOT / "release" / source.parent.name
    texts = [path.read_text() for place in (".", "languages/*") for path in folder.glob(f"{place}/{source.name}")]
    marks = ("BEGIN SOLUTION", "BEGIN HIDDEN", "BEGIN MARK SCHEME", "END SOLUTION", "END HIDDEN", "END MARK")
    assert len(texts) == 3 and [mark for mark in marks if any(mark in text for text in texts)] == []


def test_the_release_holds_no_file_of_the_graders_but_visible_tests():
    hidden = {path.read_bytes() for path in (ROOT / "grader_tests").rglob("*.*") if "visible" not in path.parts}
    release = [path for path in (ROOT / "release").rglob("*") if path.is_file()]
    assert len(hidden) > 2500 and len(release) > 150
    assert [path for path in release if path.read_bytes() in hidden] == []


@pytest.mark.parametrize("source", NOTEBOOKS, ids=_name)
def test_source_notebooks_hold_no_outputs(source: Path):
    cells = [cell for cell in _read(source)["cells"] if cell["cell_type"] == "code"]
    assert [cell["id"] for cell in cells if cell["outputs"] or cell["execution_count"]] == []


@pytest.mark.parametrize("source", NOTEBOOKS, ids=_name)
def test_ids_of_cells_are_unique(source: Path):
    ids = [cell["id"] for cell in _read(source)["cells"]]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("source", NOTEBOOKS, ids=_name)
def test_ids_of_cells_are_words_not_random(source: Path):
    # An editor that makes up an id makes up eight hexadecimal digits.
    ids = [cell["id"] for cell in _read(source)["cells"]]
    assert [identity for identity in ids if re.fullmatch(r"[0-9a-f]{8}", identity)] == []


@pytest.mark.parametrize("source", NOTEBOOKS, ids=_name)
def test_an_exercise_has_one_name_everywhere(source: Path):
    marked = [cell for cell in _read(source)["cells"] if cell["metadata"].get("nbgrader")]
    assert [cell["id"] for cell in marked if cell["id"] != cell["metadata"]["nbgrader"]["grade_id"]] == []


@pytest.mark.parametrize("source", NOTEBOOKS, ids=_name)
def test_every_hidden_part_fails_closed(source: Path):
    graded = [
        "".join(cell["source"])
        for cell in _read(source)["cells"]
        if cell["cell_type"] == "code" and cell["metadata"].get("nbgrader", {}).get("grade")
    ]
    assert [text for text in graded if not re.search(r"BEGIN HIDDEN TESTS\n(?s:.*)raise ", text)] == []


@pytest.mark.parametrize("source", NOTEBOOKS, ids=_name)
def test_a_visible_check_takes_no_name_but_its_own(source: Path):
    for cell in _read(source)["cells"]:
        identity = cell["metadata"].get("nbgrader", {}).get("grade_id", "")
        if identity.startswith("check_"):
            body = ast.parse("".join(cell["source"])).body
            assert [getattr(line, "name", type(line)) for line in body] == [identity, ast.Expr, ast.Expr]


def _code(source: Path) -> list[tuple[str, dict[str, Any], symtable.SymbolTable]]:
    """The code cells of a notebook: id, what nbgrader says of it, and its names."""
    return [
        (
            cell["id"],
            cell["metadata"].get("nbgrader", {}),
            symtable.symtable("".join(cell["source"]), cell["id"], "exec"),
        )
        for cell in _read(source)["cells"]
        if cell["cell_type"] == "code"
    ]


def _bound(table: symtable.SymbolTable) -> set[str]:
    """The names that a cell binds, without those that it imports."""
    return {s.get_name() for s in table.get_symbols() if s.is_assigned() and not s.is_imported()}


def _needed(table: symtable.SymbolTable) -> set[str]:
    """The global names that a cell, or a function in it, reads."""
    own = {s.get_name() for s in table.get_symbols() if s.is_referenced() and (s.is_global() or not _inner(table))}
    return own.union(*(_needed(child) for child in table.get_children()))


def _inner(table: symtable.SymbolTable) -> bool:
    return table.get_type() != "module"


@pytest.mark.parametrize("source", NOTEBOOKS, ids=_name)
def test_between_the_exercises_a_free_cell_takes_no_name_that_a_solution_may_have(source: Path):
    cells = _code(source)
    kinds = [{kind for kind in ("solution", "grade", "locked") if nbgrader.get(kind)} for _, nbgrader, _ in cells]
    first = next(number for number, kind in enumerate(kinds) if "solution" in kind)
    last = max(number for number, kind in enumerate(kinds) if "grade" in kind)
    taken = {
        (identity, name)
        for (identity, _, table), kind in zip(cells[first:last], kinds[first:last], strict=True)
        if not kind
        for name in _bound(table)
        if len(name) > 1 and not name.lower().startswith(("demo", "picture_"))
    }
    assert taken == set()


@pytest.mark.parametrize("source", NOTEBOOKS, ids=_name)
def test_a_cell_needs_no_name_that_no_cell_before_it_gives(source: Path):
    known = {*vars(builtins), "display", "__name__"}
    missing = set()
    for identity, _, table in _code(source):
        given = {s.get_name() for s in table.get_symbols() if s.is_assigned() or s.is_imported()}
        known |= given
        missing |= {(identity, name) for name in _needed(table) - known}
    assert missing == set()


@pytest.mark.parametrize("source", NOTEBOOKS, ids=_name)
def test_notebooks_open_on_the_default_python_kernel(source: Path):
    assert _read(source)["metadata"]["kernelspec"]["name"] == "python3"


@pytest.mark.parametrize("source", NOTEBOOKS, ids=_name)
def test_notebooks_need_nothing_of_syncpoint(source: Path):
    lines = "\n".join("".join(cell["source"]) for cell in _read(source)["cells"] if cell["cell_type"] == "code")
    assert not re.search(r"^\s*(import|from) (syncpoint|probe)\b", lines, re.MULTILINE)


def test_every_exercise_has_its_grader():
    found = [(assignment, path.stem) for assignment in ASSIGNMENTS for path in COURSE.graders(assignment).tests()]
    assert sorted(found) == sorted(EXERCISES)


def _tests(path: Path) -> list[ast.FunctionDef]:
    tree = ast.parse(path.read_text())
    return [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]


@pytest.mark.parametrize("grader", GRADERS, ids=_name)
def test_every_grader_test_has_a_docstring(grader: Path):
    assert [test.name for test in _tests(grader) if not ast.get_docstring(test)] == []


@pytest.mark.parametrize("grader", GRADERS, ids=_name)
def test_every_grader_test_has_a_hint(grader: Path):
    def hints(test: ast.FunctionDef) -> list[str]:
        calls = [mark for mark in test.decorator_list if isinstance(mark, ast.Call)]
        return [call.func.id for call in calls if isinstance(call.func, ast.Name) and call.func.id == "hint"]

    assert [test.name for test in _tests(grader) if not hints(test)] == []


@pytest.mark.parametrize("grader", GRADERS, ids=_name)
def test_titles_within_a_grader_differ(grader: Path):
    titles = [(ast.get_docstring(test) or test.name).splitlines()[0] for test in _tests(grader)]
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize("notebook", sorted((ROOT / "source").glob("*/*.ipynb")), ids=_name)
def test_headings_have_one_title_above_them_and_leave_no_step_out(notebook: Path):
    """Screen readers navigate by headings."""
    parser, levels = MarkdownIt(), []
    for cell in nbformat.read(notebook, as_version=4).cells:
        if cell.cell_type == "markdown":
            levels += [int(token.tag[1]) for token in parser.parse(cell.source) if token.type == "heading_open"]
    assert levels[0] == 1 and levels.count(1) == 1
    assert [pair for pair in pairwise(levels) if pair[1] > pair[0] + 1] == []


TIMELINES = sorted((ROOT / "source").glob("*/timeline.py"))
DRAWING = sorted((ROOT / "source").glob("*/drawing.py"))
COPIES = [
    *((TIMELINES[0], path) for path in TIMELINES[1:]),
    *((DRAWING[0], path) for path in DRAWING[1:]),
    (ROOT / "source" / "torch_async" / "pictures.py", ROOT / "source" / "torch_streams" / "pictures.py"),
]


@pytest.mark.parametrize(("original", "copy"), [pair for pair in COPIES if pair[0].exists()], ids=_name)
def test_a_copy_is_like_its_original(original: Path, copy: Path):
    """A zip and Windows keep no links."""
    assert copy.read_text() == original.read_text(), f"cp {original} {copy}"


@pytest.mark.skipif(shutil.which("git") is None, reason="there is no git")
def test_there_is_no_link():
    listed = subprocess.run(["git", "ls-files", "-s"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert [line for line in listed.stdout.splitlines() if line.startswith("120000")] == []


@pytest.mark.parametrize(("assignment", "exercise"), EXERCISES)
@pytest.mark.parametrize(("kind", "least"), [("ok", 4), ("bad", 6)])
def test_the_bank_holds_enough_solutions_of_each_kind(assignment: str, exercise: str, kind: str, least: int):
    folder = COURSE.graders(assignment).bank / exercise.removeprefix("test_")
    assert len(list(folder.glob(f"[0-9][0-9]_{kind}_*.py"))) >= least


def test_the_bank_holds_nothing_else():
    known = r"(ci|order|visible|cheats/ci)\.txt|class\.toml|cheats/\w+/\d{2,3}_\w+\.py|\w+/\d\d_(ok|bad)_\w+\.py"
    banks = [COURSE.graders(assignment).bank for assignment in ASSIGNMENTS]
    files = (path.relative_to(bank) for bank in banks for path in bank.rglob("*.*") if "__pycache__" not in path.parts)
    assert [str(path) for path in files if not re.fullmatch(known, str(path))] == []


def test_every_folder_of_the_bank_is_an_exercise():
    folders = {
        (name, path.name) for name in ASSIGNMENTS for path in COURSE.graders(name).bank.iterdir() if path.is_dir()
    }
    folders -= {(name, "cheats") for name in ASSIGNMENTS}
    assert folders == {(assignment, exercise.removeprefix("test_")) for assignment, exercise in EXERCISES}


PLACES = [ROOT / "scripts" / "requirements", *sorted((ROOT / "syncpoint" / "engines").glob("*/"))]
REQUIREMENTS = [path for place in PLACES for path in sorted(place.glob("*.txt"))]
WRITTEN = [path for place in PLACES for path in sorted(place.glob("*.in"))]


@pytest.mark.parametrize("path", [*REQUIREMENTS, *WRITTEN], ids=_name)
def test_no_requirement_file_names_an_index_host(path: Path):
    hosts = r"://|^\s*(-i|-f|--index-url|--extra-index-url|--find-links|--trusted-host)\b"
    assert re.findall(hosts, path.read_text(), re.MULTILINE) == []


@pytest.mark.parametrize("path", REQUIREMENTS, ids=_name)
def test_every_requirement_is_pinned_and_hashed(path: Path):
    text = re.sub(r"\\\n\s*", " ", path.read_text())
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    wheels = "|".join(re.escape(f"./{wheel.name}") for wheel in path.parent.glob("*.whl"))  # ours, of their content
    pinned = rf"([\w.\-\[\],]+==\S+|({wheels}) ).*--hash=sha256:" if wheels else r"[\w.\-\[\],]+==\S+.*--hash=sha256:"
    assert [line for line in lines if not re.match(pinned, line)] == []


ADVISORIES = tomllib.loads((ROOT / "scripts" / "requirements" / "advisories.toml").read_text())["advisory"]


def pins_with_holes(text: str) -> list[str]:
    """What a pinned set holds for any Python or system that an advisory names."""
    pins = re.findall(r"^([\w.-]+)(?:\[[^]]*\])?==([^\s;]+)", text, re.MULTILINE)
    return [
        f"{package}=={version}: {advisory['what']} ({advisory['source']})"
        for package, version in pins
        for advisory in ADVISORIES
        if canonicalize_name(package) == advisory["package"]
        and SpecifierSet(advisory["affected"]).contains(version, prereleases=True)
    ]


@pytest.mark.parametrize("path", REQUIREMENTS, ids=_name)
def test_no_set_holds_a_version_with_a_known_hole(path: Path):
    assert pins_with_holes(path.read_text()) == []


def test_a_version_with_a_hole_is_found_whatever_python_it_is_for():
    text = "nbgrader==0.9.5 ; python_version < '3.11' \\\n    --hash=sha256:0\nnbgrader==0.9.6\nJinja2[i18n]==3.1.5\n"
    assert [found.split(":")[0] for found in pins_with_holes(text)] == ["nbgrader==0.9.5", "Jinja2==3.1.5"]
