"""`syncpoint new`: its files work unchanged, and a failure changes nothing."""

import json
import shutil
from pathlib import Path

import nbformat
import pytest
from classroom import BIN, ENGINE, ROOT, SmallCourse
from typer.testing import CliRunner

from syncpoint.cli import app
from syncpoint.course.errors import CourseError
from syncpoint.course.folder import Course
from syncpoint.course.scaffold import EngineCells
from syncpoint.course.write_together import write_together
from syncpoint.demo.sample_class import read_class
from syncpoint.engines.find import folders


def begin(course: Course, *arguments: str) -> tuple[int, str]:
    """Run ``syncpoint new``; its exit status, and all that it says."""
    done = CliRunner().invoke(app, ["new", *arguments, "--course", str(course.root)])
    return done.exit_code, done.output


def contents(folder: Path) -> dict[Path, bytes | None]:
    """Return everything below a folder: files with their content, folders with None."""
    return {path: path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


@pytest.fixture
def empty(tmp_path: Path) -> Course:
    """A course without assignments."""
    root = tmp_path / "course"
    root.mkdir()
    shutil.copy(ROOT / "nbgrader_config.py", root)
    return Course(root)


@pytest.fixture
def begun(empty: Course) -> Course:
    """A course with the assignment `steps` on the engine `plain` and its exercise `power`."""
    for arguments in (("steps", "--engine", "plain"), ("steps", "power", "--points", "5")):
        status, printed = begin(empty, *arguments)
        assert status == 0, printed
    return empty


def _is_in_order(course: SmallCourse, engine: str, prefix: Path) -> None:
    """Begin an assignment with two exercises by the commands that are documented, and take them all the way."""
    (course.root / f".venv-{engine}").unlink(missing_ok=True)
    (course.root / f".venv-{engine}").symlink_to(prefix)
    named = [("steps", "--engine", engine), ("steps", "power"), ("steps", "share", "--points", "5")]
    # A release in between: exercises may come later, too.
    commands: list[tuple[str, ...]] = [("syncpoint", "new", *named[0]), ("nbgrader", "generate_assignment", "steps")]
    commands += [("syncpoint", "new", *arguments) for arguments in named[1:]]
    commands += [("nbgrader", "generate_assignment", "steps", "--force")]
    commands += [("syncpoint", "vet", "solutions", "steps", "--json", "found.json")]
    commands += [("syncpoint", "vet", "checks", "steps")]
    commands += [("pytest", "grader_tests/steps", "-p", "no:cacheprovider", "-q")]
    for command in commands:
        done = course.run(str(BIN / command[0]), *command[1:])
        assert done.returncode == 0, (command, done.stdout, done.stderr)
    assert "4 passed" in done.stdout
    assert json.loads((course.root / "found.json").read_text())["agrees"] is True
    released = nbformat.read(course.root / "release" / "steps" / "steps.ipynb", as_version=4)
    points = {cell.id: cell.metadata.nbgrader.points for cell in released.cells if cell.id.startswith("test_")}
    assert points == {"test_power": 2, "test_share": 5}
    texts = {cell.id: cell.source for cell in released.cells if cell.cell_type == "markdown"}
    assert texts["title"].endswith("\n\n**This assignment is worth 7 points.**")
    assert texts["ask-power"].startswith("## Exercise: `power`\n\n**2 points**\n\nWrite `power(x)`.")
    assert texts["ask-share"].startswith("## Exercise: `share`\n\n**5 points**\n\nWrite `share(x)`.")
    (left,) = [cell.source for cell in released.cells if cell.id == "power"]
    assert "raise NotImplementedError()" in left and "x * 2" not in left


@pytest.mark.exhaustive
def test_what_is_begun_is_released_and_vetted_without_an_edit(empty: Course, plain_engine: Path):
    _is_in_order(SmallCourse(empty.root), "plain", plain_engine)


@pytest.mark.exhaustive
def test_so_it_is_on_mxnet(empty: Course):
    _is_in_order(SmallCourse(empty.root), "mxnet", ENGINE)


@pytest.mark.exhaustive
def test_so_it_is_on_pytorch(empty: Course, torch_engine: Path):
    _is_in_order(SmallCourse(empty.root), "torch", torch_engine)


@pytest.mark.parametrize("engine", sorted(folders()))
def test_every_engine_says_how_its_cells_look(engine: str):
    cells = EngineCells(**json.loads((folders()[engine] / "cells.json").read_text()))
    compile("\n".join(cells.imports), engine, "exec")
    assert "1.0, 2.0" in cells.example and cells.argument.startswith("array(x")


def test_the_sample_class_fits_and_one_student_is_told_of(begun: Course):
    assert begin(begun, "steps", "share")[0] == 0
    members = {member.name: member for member in read_class(begun, "steps").members}
    assert list(members) == ["perfect_as_taught", "power_adds_two", "share_adds_two"]
    assert [name for name, member in members.items() if member.did] == ["power_adds_two"]


def test_its_solutions_are_listed_behind_what_was_listed(begun: Course):
    bank = begun.graders("steps").bank
    names = "".join(f"steps/power/{path.name}\n" for path in sorted((bank / "power").iterdir()))
    assert (bank / "ci.txt").read_text() == names
    begin(begun, "steps", "share")
    folders = [line.split("/")[1] for line in (bank / "ci.txt").read_text().splitlines()]
    assert folders == [*["power"] * 3, *["share"] * 3]


def test_the_grade_cell_has_the_lines_of_all_grade_cells(begun: Course):
    def line(root: Path, name: str, cell: str) -> str:
        book = nbformat.read(root / "source" / name, as_version=4)
        return next(one.source for one in book.cells if one.id == cell)

    ours = line(begun.root, "steps/steps.ipynb", "test_power")
    assert ours == line(ROOT, "async/memory.ipynb", "test_get_mem").replace("get_mem", "power")


def test_without_a_name_the_engine_is_that_of_the_course(empty: Course):
    with (empty.root / "nbgrader_config.py").open("a") as config:
        config.write('c.GradeSubmission.engine = "torch"\n')
    begin(empty, "steps", "--title", 'A "quoted" title')
    printed = empty.graders("steps").settings()
    assert (printed.engine, printed.title, printed.language) == ("torch", 'A "quoted" title', "en")
    assert "import simgpu" in empty.source("steps").notebook("steps").cells[1].source


def test_what_closes_a_notebook_stays_at_its_end(begun: Course):
    path = begun.root / "source" / "steps" / "steps.ipynb"
    book = nbformat.read(path, as_version=4)
    book.cells.append(nbformat.v4.new_markdown_cell("The end.", id="go-on"))
    nbformat.write(book, path)
    begin(begun, "steps", "share")
    cells = [cell.id for cell in nbformat.read(path, as_version=4).cells]
    exercises = [[f"ask-{name}", name, f"check_{name}", f"test_{name}"] for name in ("power", "share")]
    assert cells == ["title", "imports", *exercises[0], *exercises[1], "go-on"]


def test_it_ends_with_what_was_written_and_three_commands(begun: Course):
    before = contents(begun.root)
    status, printed = begin(begun, "steps", "share")
    after = contents(begun.root)
    kinds = {path: "new" if path not in before else "changed" for path in after if after[path] != before.get(path)}
    written = [f"{kind:8} {path.relative_to(begun.root)}" for path, kind in kinds.items()]
    listed, _, following = printed.partition("Next:\n")
    assert (status, sorted(written)) == (0, sorted(line for line in listed.splitlines() if line[:3] in ("new", "cha")))
    assert [line.split()[:2] for line in following.splitlines()] == [
        ["syncpoint", "vet"],
        ["nbgrader", "generate_assignment"],
        ["syncpoint", "demo"],
    ]


@pytest.mark.parametrize("linked", [False, True])
def test_a_missing_environment_is_named_with_the_command_that_makes_it(begun: Course, tmp_path: Path, linked: bool):
    if linked:
        (tmp_path / "bin").mkdir()
        (tmp_path / "bin" / "python").touch()
        (begun.root / ".venv-plain").symlink_to(tmp_path)
    assert ("Create it first: syncpoint engine install" in begin(begun, "steps", "share")[1]) is not linked


REFUSED = {
    "an assignment that is there": (("steps",), "source/steps already exists"),
    "an exercise that is there": (("steps", "power"), "test_power.py already exists"),
    "no identifier": (("two-steps",), "'two-steps' is not a valid name"),
    "a path": (("../steps",), "'../steps' is not a valid name"),
    "a number first": (("steps", "2fast"), "'2fast' is not a valid name"),
    "capital letters": (("steps", "Power"), "'Power' is not a valid name"),
    "letters of other scripts": (("steps", "größe"), "'größe' is not a valid name"),
    "too long for a cell": (("steps", "a" * 51), "is not a valid name"),
    "a keyword": (("steps", "yield"), "'yield' is not a valid name"),
    "a function of Python's": (("steps", "float"), "'float' is not a valid name"),
    "what cells of others begin with": (("steps", "check_power"), "'check_power' is not a valid name"),
    "what is imported": (("steps", "numpy"), "the cell imports already defines numpy"),
    "the id of a cell": (("steps", "imports"), "the assignment already has a cell imports"),
    "the cheats of the bank": (("steps", "cheats"), "'cheats' is not a valid name"),
    "an assignment that is not there": (("leaps", "power"), "run `syncpoint new leaps` first"),
    "an assignment outside": (("../course/source/steps", "share"), "there is no assignment '../course/source/steps'"),
    "a notebook that is not there": (("steps", "share", "--notebook", "leaps"), "steps has no notebook 'leaps'"),
    "no engine": (("leaps", "--engine", "steam"), "there is no engine 'steam'"),
    "a title of two lines": (("leaps", "--title", "Leaps\nand bounds"), "the title must be one line"),
}


@pytest.mark.parametrize(("arguments", "printed"), REFUSED.values(), ids=REFUSED)
def test_a_wrong_name_is_one_sentence_and_nothing_changes(begun: Course, arguments: tuple[str, ...], printed: str):
    before = contents(begun.root)
    status, output = begin(begun, *arguments)
    assert (status, printed in output, output.count("\n")) == (1, True, 1), output
    assert contents(begun.root) == before


@pytest.mark.parametrize("place", ["source", "grader_tests", "release"])
def test_what_is_left_of_an_assignment_is_not_overwritten(empty: Course, place: str):
    (empty.root / place / "steps").mkdir(parents=True)
    status, output = begin(empty, "steps")
    assert (status, f"{place}/steps already exists" in output) == (1, True)


def test_of_several_notebooks_one_must_be_chosen(begun: Course):
    source = begun.root / "source" / "steps"
    shutil.copy(source / "steps.ipynb", source / "more.ipynb")
    assert "choose one with --notebook" in begin(begun, "steps", "share")[1]
    assert begin(begun, "steps", "share", "--notebook", "more")[0] == 0
    assert begun.source("steps").exercises()["test_share"] == "more"


@pytest.mark.parametrize("name", ["source/steps/steps.ipynb", "grader_tests/steps/bank/class.toml"])
def test_a_file_that_cannot_be_read_is_named_and_nothing_changes(begun: Course, name: str):
    (begun.root / name).write_text("[[")
    before = contents(begun.root)
    status, output = begin(begun, "steps", "share")
    assert (status, name in output) == (1, True)
    assert contents(begun.root) == before


@pytest.mark.parametrize("given", [("steps", "--points", "3"), ("steps", "share", "--engine", "plain")])
def test_an_option_that_would_do_nothing_is_refused(begun: Course, given: tuple[str, ...]):
    before = contents(begun.root)
    assert begin(begun, *given)[0] == 2
    assert contents(begun.root) == before


@pytest.mark.parametrize("stopper", ["changed/folder", "file/below"])
def test_if_one_file_cannot_be_written_nothing_changes(tmp_path: Path, stopper: str):
    (tmp_path / "changed" / "folder").mkdir(parents=True)
    for name in ("changed/old", "file"):
        (tmp_path / name).write_text("as it was")
    before = contents(tmp_path)
    names = ("new/one", "new/deep/two", "changed/old", stopper)
    with pytest.raises(CourseError, match=f"{stopper} cannot be written .*; nothing was changed"):
        write_together({tmp_path / name: "other" for name in names})
    assert contents(tmp_path) == before


def test_a_file_that_changes_keeps_its_rights(tmp_path: Path):
    (tmp_path / "old").write_text("as it was")
    (tmp_path / "old").chmod(0o640)
    write_together({tmp_path / "old": "other"})
    assert ((tmp_path / "old").read_text(), (tmp_path / "old").stat().st_mode & 0o777) == ("other", 0o640)
