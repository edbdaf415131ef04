"""`syncpoint init`: a private course that grades at once, and nothing that was there is touched."""

import subprocess
from pathlib import Path

import pytest
from classroom import BIN, ROOT, SmallCourse
from typer.testing import CliRunner

from syncpoint.cli import app
from syncpoint.course.errors import CourseError
from syncpoint.course.folder import Course

OF_PEOPLE = (
    *("gradebook.db", "gradebook-before.db", "gradebook.db.2026-10-01", ".nbgrader.log"),
    *("before.csv", "canvas.csv", "outcomes.parquet", "submissions.zip"),
    *("submitted/ada/steps/steps.ipynb", "autograded/x", "feedback/x", ".syncpoint/x"),
)


def begin(folder: Path, model: Path = ROOT) -> tuple[int, str]:
    """Run ``syncpoint init``; its exit status, and all that it says."""
    done = CliRunner().invoke(app, ["init", str(folder), "--course", str(model)])
    return done.exit_code, done.output


@pytest.fixture
def begun(tmp_path: Path) -> Course:
    """A private course."""
    status, printed = begin(tmp_path / "autumn-2026")
    assert status == 0, printed
    return Course(tmp_path / "autumn-2026")


def test_it_creates_the_course_next_to_the_current_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "clone").mkdir()
    (tmp_path / "clone" / "nbgrader_config.py").write_text((ROOT / "nbgrader_config.py").read_text())
    monkeypatch.chdir(tmp_path / "clone")
    status, printed = begin(Path("../autumn-2026"), Path())
    assert (status, f"new      {tmp_path}/autumn-2026/README.md\n" in printed) == (0, True), printed
    for inside in ("autumn-2027", "../clone/autumn-2027", "../autumn-2026/autumn-2027"):
        status, printed = begin(Path(inside), Path())
        assert (status, "is inside a course" in printed) == (1, True), printed


def test_a_folder_beside_a_course_is_not_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for name in ("clone", "elsewhere"):
        (tmp_path / name).mkdir()
    (tmp_path / "clone" / "nbgrader_config.py").touch()
    monkeypatch.chdir(tmp_path / "clone")
    assert Course.around(Path()).root == tmp_path / "clone"
    with pytest.raises(CourseError, match=r"\.\./elsewhere is not in a course folder"):
        Course.around(Path("../elsewhere"))


@pytest.mark.exhaustive
def test_an_assignment_of_a_private_course_is_released_and_vetted(plain_engine: Path, begun: Course):
    assert begun.engine_prefix("plain").resolve() == plain_engine.resolve()
    for command in (
        ("syncpoint", "new", "steps", "--engine", "plain"),
        ("syncpoint", "new", "steps", "power"),
        ("nbgrader", "generate_assignment", "steps"),
        ("syncpoint", "vet", "solutions", "steps/power"),
    ):
        done = SmallCourse(begun.root).run(str(BIN / command[0]), *command[1:])
        assert done.returncode == 0, (command, done.stdout, done.stderr)
    assert (begun.root / "gradebook.db").is_file()


def test_it_has_a_name_and_a_gradebook_of_its_own(begun: Course, tmp_path: Path):
    model = tmp_path / "model"
    model.mkdir()
    settings = (ROOT / "nbgrader_config.py").read_text()
    (model / "nbgrader_config.py").write_text(f'{settings}\nc.CourseDirectory.db_url = "postgresql+psycopg:///class"\n')
    assert begin(tmp_path / "winter", model)[0] == 0
    for root in (begun.root, tmp_path / "winter"):
        assert Course(root).id == root.name
        assert Course(root).settings().CourseDirectory.db_url == f"sqlite:///{root}/gradebook.db"


def test_git_takes_nothing_of_people_and_everything_of_the_course(begun: Course):
    subprocess.run(["git", "init", "-q"], cwd=begun.root, check=True)
    for name in OF_PEOPLE:
        (begun.root / name).parent.mkdir(parents=True, exist_ok=True)
        (begun.root / name).touch()
    status = ["git", "status", "--porcelain", "-uall"]
    listed = subprocess.run(status, cwd=begun.root, check=True, capture_output=True, text=True).stdout
    names = {line[3:] for line in listed.splitlines()}
    stored = {f"{folder}/.gitkeep" for folder in ("source", "grader_tests")}
    assert names == {"README.md", ".gitignore", "nbgrader_config.py", "docs/students/misconceptions.md", *stored}


def test_git_takes_nothing_of_people_in_a_clone_either(tmp_path: Path):
    (tmp_path / ".gitignore").write_text((ROOT / ".gitignore").read_text())
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    asked = subprocess.run(
        ["git", "check-ignore", *OF_PEOPLE], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    assert asked.stdout.split() == list(OF_PEOPLE)


def test_its_readme_names_every_folder_that_must_stay_private(begun: Course):
    private = (begun.root / "README.md").read_text().partition("## What must stay private")[2].partition("\n## ")[0]
    for name in ("source/", "grader_tests/", "gradebook.db", "submitted/", "autograded/", "feedback/"):
        assert f"`{name}`" in private


@pytest.mark.parametrize("place", ["full", "file", "course/inside", "öffentlich"])
def test_a_folder_that_cannot_be_one_is_one_sentence_and_nothing_changes(tmp_path: Path, place: str):
    for folder in ("full", "course"):
        (tmp_path / folder).mkdir()
    for name in ("full/mine", "file", "course/nbgrader_config.py"):
        (tmp_path / name).write_text("as it was")
    before = sorted(tmp_path.rglob("*"))
    status, printed = begin(tmp_path / place)
    assert (status, printed.count("\n")) == (1, 1), printed
    assert sorted(tmp_path.rglob("*")) == before
