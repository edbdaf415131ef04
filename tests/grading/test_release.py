"""Releases: made completely or not at all, entered into the gradebook, and changed after submissions."""

import json
import zipfile
from pathlib import Path

import nbformat
import pytest
from classroom import SmallCourse, nbgrader_cell
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from nbgrader.api import MissingEntry
from nbgrader.utils import compute_checksum
from small_class import syncpoint

from syncpoint.course.check_wheel import check_wheel
from syncpoint.course.release import in_git
from syncpoint.grading.claims import Claims

pytestmark = pytest.mark.slow

GENERATE = ("generate_assignment", "async")


def contents(course: SmallCourse) -> dict[str, bytes]:
    """Every file below release/."""
    return {str(path): path.read_bytes() for path in (course.root / "release").rglob("*") if path.is_file()}


def recorded(course: SmallCourse) -> set[str]:
    """The grade cells that the gradebook has."""
    with course.gradebook() as gradebook:
        try:
            return {cell.name for book in gradebook.find_assignment("async").notebooks for cell in book.grade_cells}
        except MissingEntry:
            return set()


def change(course: SmallCourse, *cells: object, text: str = "# Changed.") -> None:
    """Change a text of the source, and add cells."""
    path = course.root / "source" / "async" / "work.ipynb"
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[0].source += f"\n{text}"
    notebook.cells += cells
    nbformat.write(notebook, path)


def one_more(course: SmallCourse) -> None:
    """A third exercise, with its grader."""
    code = {"solution": True}
    change(
        course,
        nbgrader_cell(new_code_cell, "def triple(x):\n    return x * 3", "triple", **code),
        nbgrader_cell(new_code_cell, "# tests", "test_triple", grade=True, locked=True, points=3),
    )
    grader = course.grader("test_double").read_text().replace("double", "triple").replace("2 * x", "3 * x")
    course.grader("test_triple").write_text(grader)


def test_a_release_that_is_there_is_entered_into_the_gradebook(course: SmallCourse):
    (course.root / "gradebook.db").unlink()
    before = contents(course)
    done = course.nbgrader(*GENERATE)
    assert (done.returncode, recorded(course)) == (0, {"test_queue_work", "test_double", "why"})
    assert "release/async is already up to date with source/async; the gradebook now has its cells" in done.stderr
    assert contents(course) == before


def test_a_second_run_says_that_nothing_was_done(course: SmallCourse):
    done = course.nbgrader(*GENERATE)
    assert (done.returncode, "async: nothing was done" in done.stderr) == (0, True)
    assert "--force generates it again" in done.stderr


def test_a_release_that_differs_from_the_source_is_not_entered(course: SmallCourse):
    (course.root / "gradebook.db").unlink()
    change(course)
    before = contents(course)
    done = course.nbgrader(*GENERATE)
    assert (done.returncode, recorded(course), contents(course)) == (1, set(), before)
    assert "release/async differs from source/async (work.ipynb): nothing was changed" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_second_run_names_what_is_not_as_the_source_makes_it(course: SmallCourse):
    change(course)
    (course.root / "release" / "async" / "requirements.txt").write_text("numpy\n")
    before = contents(course)
    done = course.nbgrader(*GENERATE)
    assert (done.returncode, contents(course)) == (1, before)
    assert "differs from source/async (requirements.txt, work.ipynb): nothing was changed. Run `nb" in done.stderr
    assert "nbgrader generate_assignment async --force` to generate it again" in done.stderr


@pytest.fixture
def cloned(course: SmallCourse) -> SmallCourse:
    """The release as git keeps it, which brings neither wheels nor data."""
    (course.root / "source" / "async" / "data").mkdir()
    (course.root / "source" / "async" / "data" / "images.gz").write_bytes(b"1")
    for path in (course.root / "release" / "async").iterdir():
        if path.is_file() and not in_git(path):
            path.unlink()
    return course


def test_a_release_from_git_gets_what_git_does_not_keep(cloned: SmallCourse):
    before = contents(cloned)
    done = cloned.nbgrader(*GENERATE)
    assert done.returncode == 0 and "generated release/async" in done.stderr, done.stderr
    added = {name: content for name, content in contents(cloned).items() if name not in before}
    assert {Path(name).name for name in added} == {
        "AGENTS.md", "images.gz", "mxnet_compat-1.0-py3-none-any.whl", "requirements.txt", check_wheel()[0],
    }  # fmt: skip
    assert contents(cloned) == before | added
    assert "nothing was done" in cloned.nbgrader(*GENERATE).stderr


@pytest.mark.exhaustive
def test_an_incomplete_release_is_not_handed_out(cloned: SmallCourse, tmp_path: Path):
    cloned.configure(f"c.Exchange.root = {str(tmp_path / 'exchange')!r}\n")
    (tmp_path / "exchange").mkdir(mode=0o777)
    done = cloned.nbgrader("release_assignment", "async")
    lacking = "AGENTS.md, data/images.gz, mxnet_compat-1.0-py3-none-any.whl, requirements.txt, syncpoint_check-*.whl"
    assert f"release/async lacks {lacking}, so it was not released: run `nbgrader generate_" in done.stderr
    assert (done.returncode, list((tmp_path / "exchange").iterdir())) == (1, [])
    assert (
        f"note  release     async: up to date, but not ready for students: {lacking} missing  -> nbgrader generate_ass"
        in (syncpoint(cloned, "doctor")[1])
    )
    cloned.must_run("nbgrader", *GENERATE)
    cloned.must_run("nbgrader", "release_assignment", "async")
    assert (tmp_path / "exchange" / "syncpoint" / "outbound" / "async" / "data" / "images.gz").is_file()
    assert "ok    release     async: up to date" in syncpoint(cloned, "doctor")[1]


@pytest.mark.exhaustive
def test_a_release_from_another_machine_is_entered_over_older_cells(course: SmallCourse):
    one_more(course)
    course.must_run("nbgrader", *GENERATE, "--force", "--no-db")
    assert "test_triple" not in recorded(course)
    done = course.nbgrader(*GENERATE)
    assert done.returncode == 0 and "the gradebook now has its cells" in done.stderr, done.stderr
    assert "test_triple" in recorded(course)


@pytest.mark.exhaustive
def test_the_doctor_says_how_a_notebook_that_is_missing_comes_back(course: SmallCourse):
    (course.root / "release" / "async" / "work.ipynb").unlink()
    output = syncpoint(course, "doctor")[1]
    assert "work.ipynb is missing: run `nbgrader generate_assignment async --force` first" in output
    course.must_run("nbgrader", *GENERATE, "--force")
    assert "ok    gradebook   async: " in syncpoint(course, "doctor")[1]


@pytest.mark.exhaustive
def test_the_doctor_looks_at_the_cells_in_the_gradebook(course: SmallCourse):
    one_more(course)
    text = syncpoint(course, "doctor")[1]
    assert "WRONG gradebook   source/async has other grade cells than the gradebook" in text
    (course.root / "gradebook.db").unlink()
    course.must_run("nbgrader", *GENERATE, "--force")
    course.must_run("nbgrader", "db", "assignment", "add", "asink", "--duedate=2030-03-01 12:00:00 UTC")
    text = syncpoint(course, "doctor")[1]
    assert "ok    gradebook   async: 4 graded cells, the same as in release/async" in text
    missing = "note  gradebook   asink: it is in the gradebook, but source/asink is missing  -> if this is a mistake"
    assert missing in text


@pytest.mark.exhaustive
def test_the_doctor_looks_at_the_rubrics(course: SmallCourse):
    folder = course.root / "grader_tests" / "async" / "rubrics"
    folder.mkdir()
    (folder / "why.toml").write_text('[[criteria]]\ntext = "all of it"\npoints = 2\n')
    status, output, _ = syncpoint(course, "doctor")
    assert "ok    rubrics     async: why" in output and status == 0
    (folder / "why.toml").write_text("x =")
    (folder / "nosuch.toml").write_text('[[criteria]]\ntext = "all of it"\npoints = 2\n')
    status, output, _ = syncpoint(course, "doctor")
    assert f"WRONG rubrics     {folder}/why.toml cannot be read" in output and status == 1
    assert f"WRONG rubrics     {folder}/nosuch.toml: source/async has no written answer nosuch" in output


@pytest.fixture
def failing(course: SmallCourse) -> SmallCourse:
    """The second notebook cannot be converted: nbgrader has written the first one by then."""
    change(course)
    notebook = new_notebook(cells=[nbgrader_cell(new_code_cell, "", "odd", grade=True, solution=True, locked=True)])
    notebook.cells[0].metadata.nbgrader.schema_version = 99
    nbformat.write(notebook, course.root / "source" / "async" / "zz.ipynb")
    return course


def test_a_release_that_cannot_be_made_leaves_the_old_one(failing: SmallCourse):
    before = contents(failing)
    done = failing.nbgrader(*GENERATE, "--force")
    assert (done.returncode, contents(failing)) == (1, before)
    assert "release/async is unchanged" in done.stderr


def test_a_release_that_is_made_takes_the_place_of_the_old_one(course: SmallCourse):
    change(course)
    assert "tutor, do not solve" in (course.root / "release" / "async" / "AGENTS.md").read_text()
    (course.root / "source" / "async" / "AGENTS.md").write_text("Our own rules.")
    course.must_run("nbgrader", *GENERATE, "--force")
    assert "# Changed." in json.dumps(course.release())
    assert (course.root / "release" / "async" / "AGENTS.md").read_text() == "Our own rules."
    assert [path.name for path in (course.root / "release").iterdir()] == ["async"]


@pytest.mark.exhaustive
def test_one_notebook_alone_leaves_the_others(course: SmallCourse):
    nbformat.write(new_notebook(), course.root / "source" / "async" / "other.ipynb")
    course.must_run("nbgrader", *GENERATE, "--force")
    change(course)
    course.must_run("nbgrader", *GENERATE, "--notebook", "work", "--force")
    assert sorted(Path(name).name for name in contents(course)) == [
        "AGENTS.md",
        "check.json",
        "mxnet_compat-1.0-py3-none-any.whl",
        "other.ipynb",
        "requirements.txt",
        check_wheel()[0],
        "work.ipynb",
    ]
    assert "# Changed." in json.dumps(course.release())


@pytest.mark.exhaustive
def test_the_gradebook_has_a_locked_text_as_students_get_it(course: SmallCourse):
    """nbgrader brings back what is locked, and compares it: with the points that the release says in it."""
    (course.root / "grader_tests" / "async" / "assignment.toml").write_text("minutes = 60\n")
    change(course, nbgrader_cell(new_markdown_cell, "# One more\n\nAnswer `more`.", "ask_more", locked=True))
    change(course, nbgrader_cell(new_markdown_cell, "...", "more", grade=True, solution=True, points=1))
    course.must_run("nbgrader", *GENERATE, "--force")
    (cell,) = [cell for cell in course.release()["cells"] if cell["id"] == "ask-more"]
    text = "".join(cell["source"])
    assert text.startswith(
        "# One more\n\n**1 point**\n\nAnswer `more`.\n\n**This assignment is worth 9 points.** Plan about 1 h"
    )
    with course.gradebook() as gradebook:
        assert gradebook.find_source_cell("ask_more", "work", "async").source == text
    assert cell["metadata"]["nbgrader"]["checksum"] == compute_checksum(nbformat.from_dict({**cell, "source": text}))


def test_grading_with_a_gradebook_without_cells_says_that_it_lacks_them(course: SmallCourse):
    (course.root / "gradebook.db").unlink()
    course.submit("ada", course.solved())
    status, _, output = syncpoint(course, "grade", "async")
    assert status == 1 and "The gradebook does not have async yet: " in output
    assert "nbgrader generate_assignment async" in output and "other grade cells" not in output


def output(course: SmallCourse, *command: str) -> str:
    """Return the output of a command that finds nothing to do and fails."""
    done = course.nbgrader(*command)
    assert done.returncode == 1, done.stderr
    assert "matched" not in done.stderr and "Did you mean" not in done.stderr
    return done.stderr


def test_a_missing_assignment_is_named_with_the_existing_ones(course: SmallCourse):
    reported = output(course, "generate_assignment", "asynk")
    assert "source/asynk does not exist, so nothing was generated. source/ has async." in reported
    assert "create a new one with `syncpoint new asynk`" in reported
    assert "source/async has no such notebook" in output(course, *GENERATE, "--notebook=wrk")
    assert "It has: work.ipynb." in output(course, *GENERATE, "--notebook=wrk")


@pytest.mark.exhaustive
def test_an_assignment_without_a_notebook_is_named_alone_and_among_others(course: SmallCourse):
    (course.root / "source" / "later").mkdir()
    empty = "source/later has no notebook, so nothing was generated. Create one with `syncpoint new`."
    assert empty in output(course, "generate_assignment", "later")
    done = course.nbgrader("generate_assignment", "*", "--force")
    assert done.returncode == 0 and empty in done.stderr and "generated release/async" in done.stderr


def test_work_that_is_not_there_is_named_with_the_way_to_bring_it(course: SmallCourse):
    reported = output(course, "autograde", "async")
    assert "submitted/<student>/async has no notebook, so nothing was graded. submitted/ has no work." in reported
    course.submit("ada", course.solved())
    nothing = "submitted/eve/async has no notebook, so nothing was graded. submitted/ has nothing of eve; "
    assert f"{nothing}for async it has work of ada. " in output(course, "autograde", "async", "--student=eve")
    other = "submitted/ has work of ada for async; for asink it has no work."
    assert other in output(course, "autograde", "asink", "--student=ada")
    assert "submitted/ has work for async. Collect submissions with `nbgrader collect asink`" in output(
        course, "autograde", "asink"
    )
    reported = output(course, "generate_feedback", "async")
    assert "autograded/<student>/async has no notebook, so no feedback was generated." in reported
    assert "autograded/ has no work. Grade the submissions first with `syncpoint grade async`." in reported
    reported = output(course, "generate_feedback", "async", "--force", "--student=ada")
    assert "autograded/ has nothing of ada; for async it has no work." in reported


OTHER_CELLS = "async has graded work of 2 students, and source/async no longer has the same cells"
BACK = 'restore source/async, or see "Change an assignment after students have submitted"'


@pytest.fixture(scope="module")
def submitted(released: SmallCourse, tmp_path_factory: pytest.TempPathFactory) -> SmallCourse:
    """The course with two graded students, one of whom submitted through the exchange.  Copy it to change it."""
    course = released.copy(tmp_path_factory.mktemp("handed-in") / "course")
    for student in ("ada", "bob"):
        course.submit(student, course.solved())
    (course.folder("ada") / "submission_secret.txt").write_text("of ada")
    (course.folder("bob") / "timestamp.txt").write_text("2026-05-01 10:00:00 UTC")
    course.must_run("nbgrader", "autograde", "async")
    return course


@pytest.fixture
def changed(submitted: SmallCourse, tmp_path: Path) -> SmallCourse:
    """The same, to which an exercise was added."""
    course = submitted.copy(tmp_path / "changed")
    one_more(course)
    return course


def test_other_cells_after_grading_are_refused_in_a_sentence_and_nothing_is_lost(changed: SmallCourse):
    before = contents(changed)
    done = changed.nbgrader(*GENERATE, "--force")
    assert (done.returncode, contents(changed)) == (1, before)
    assert OTHER_CELLS in done.stderr and "Traceback" not in done.stderr
    assert changed.scores() == {"ada": (4, 2), "bob": (4, 2)}


@pytest.mark.exhaustive
def test_no_message_suggests_a_command_that_graded_work_refuses(changed: SmallCourse):
    refused = f"{OTHER_CELLS} (test_triple of work, triple of work): {BACK}"
    for output in (syncpoint(changed, "grade", "async")[2], changed.nbgrader(*GENERATE).stderr):
        assert refused in output and "--force" not in output
    (gradebook, release) = [line for line in syncpoint(changed, "doctor")[1].splitlines() if BACK in line]
    assert f"WRONG gradebook   {refused}" in gradebook
    assert f"WRONG release     async: not up to date with source/: work.ipynb  -> {BACK}" in release


@pytest.mark.exhaustive
def test_the_documented_way_grades_everybody_on_the_new_cells(changed: SmallCourse):
    changed.must_run("nbgrader", "export", "--to", "before.csv")
    assert (changed.root / "before.csv").read_text().count("\nasync,") == 2
    changed.nbgrader("db", "assignment", "add", "async", "--duedate=2030-03-01 12:00:00 UTC")
    assert syncpoint(changed, "extend", "ada", "async", "--hours", "48")[0] == 0
    with changed.gradebook() as gradebook:
        gradebook.grant_extension("async", "bob", hours=10)  # nbgrader's own way
    changed.must_run("nbgrader", "generate_feedback", "async")
    status, output, _ = syncpoint(changed, "restart", "async", "--yes", "--why", "one more exercise")
    assert status == 0 and "async: marks of 2 submissions (ada, bob)." in output
    changed.must_run("nbgrader", *GENERATE, "--force")
    status, _, output = syncpoint(changed, "grade", "async")
    assert (status, changed.scores()) == (0, {"ada": (4, 2), "bob": (4, 2)}), output
    with changed.gradebook() as gradebook:
        due = {one.student_id: str(one.duedate) for one in gradebook.assignment_submissions("async")}
    assert due == {"ada": "2030-03-03 12:00:00", "bob": "2030-03-01 22:00:00"}
    assert "restart): one more exercise" in syncpoint(changed, "log")[1]
    assert "test_triple" in syncpoint(changed, "why", "ada", "async")[1]
    changed.must_run("nbgrader", "generate_feedback", "async")
    assert "triple" in (changed.root / "feedback" / "ada" / "async" / "work.html").read_text()


def test_no_restart_while_somebodys_work_is_graded(submitted: SmallCourse, tmp_path: Path):
    course = submitted.copy(tmp_path / "course")
    before, claims = contents(course), Claims(course.root / "autograded")
    claims.take("bob/async")
    status, _, output = syncpoint(course, "restart", "async", "--yes")
    claims.close()
    assert (status, contents(course)) == (1, before)
    assert "bob's work on async is being graded now, so nothing was removed." in output


def test_other_texts_and_points_after_grading_are_no_trouble(submitted: SmallCourse, tmp_path: Path):
    course = submitted.copy(tmp_path / "course")
    change(course)
    done = course.nbgrader(*GENERATE, "--force")
    assert (done.returncode, course.scores()) == (0, {"ada": (4, 2), "bob": (4, 2)}), done.stderr


@pytest.mark.exhaustive
def test_grade_says_that_the_source_has_changed_since_the_release(submitted: SmallCourse, tmp_path: Path):
    course = submitted.copy(tmp_path / "course")
    assert "differs from source/async" not in "".join(map(str, syncpoint(course, "grade", "async")[1:]))
    source = course.root / "source" / "async" / "work.ipynb"
    notebook = nbformat.read(source, 4)
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id") == "test_double":
            cell.metadata.nbgrader.points = 6
    nbformat.write(notebook, source)
    for _ in range(2):  # also where nobody is to be graded
        output = "".join(map(str, syncpoint(course, "grade", "async")[1:]))
        assert "release/async differs from source/async (work.ipynb)" in output
        assert course.scores() == {"ada": (4, 2), "bob": (4, 2)}
    course.must_run("nbgrader", *GENERATE, "--force")
    assert "differs from source/async" not in "".join(map(str, syncpoint(course, "grade", "async")[1:]))
    assert course.scores() == {"ada": (4, 6), "bob": (4, 6)}


@pytest.mark.exhaustive
def test_feedback_says_for_whom_it_was_written_and_for_whom_not(submitted: SmallCourse, tmp_path: Path):
    course = submitted.copy(tmp_path / "course")
    first = course.nbgrader("generate_feedback", "async", "--student", "ada").stderr
    assert "async: Wrote feedback for 1 submission, in feedback/<student>/async/: 'ada'." in first
    second = course.nbgrader("generate_feedback", "async").stderr
    assert "Wrote feedback for 1 submission, in feedback/<student>/async/: 'bob'." in second
    assert "Kept the pages of 1 submission ('ada'): nothing in them has changed" in second


@pytest.mark.exhaustive
def test_feedback_is_released_without_a_time_stamp_and_not_without_a_secret(submitted: SmallCourse, tmp_path: Path):
    course, exchange = submitted.copy(tmp_path / "course"), tmp_path / "exchange"
    where = f"--Exchange.root={exchange}"
    nowhere = course.nbgrader("release_feedback", "async", where)
    assert nowhere.returncode == 1
    assert f"nothing was released: {exchange} does not exist, or you may not write to it. Name" in nowhere.stderr
    exchange.mkdir(mode=0o777)
    nothing = course.nbgrader("release_feedback", "async", where)
    assert nothing.returncode == 1
    assert "there is no feedback to release" in nothing.stderr
    course.must_run("nbgrader", "generate_feedback", "async")
    done = course.must_run("nbgrader", "release_feedback", "async", where)
    assert "async: released the feedback of ada." in done.stderr
    assert "async: not released: the feedback of bob. The exchange needs a secret" in done.stderr
    assert len(list((exchange / "syncpoint" / "feedback").glob("*.html"))) == 1
    secret = course.root / "feedback" / "ada" / "async" / "submission_secret.txt"
    secret.unlink()
    secret.write_bytes(b"\xff\xfe")
    done = course.nbgrader("release_feedback", "async", where)
    assert done.returncode == 0 and "not released: the feedback of ada, bob." in done.stderr, done.stderr


@pytest.mark.exhaustive
def test_a_released_page_is_on_the_disk_once_and_changes_only_with_a_release(submitted: SmallCourse, tmp_path: Path):
    course, exchange = submitted.copy(tmp_path / "course"), tmp_path / "exchange"
    exchange.mkdir(mode=0o777)
    release = ("release_feedback", "async", f"--Exchange.root={exchange}")
    course.must_run("nbgrader", "generate_feedback", "async")
    for _ in range(2):
        course.must_run("nbgrader", *release)
    (released,) = (exchange / "syncpoint" / "feedback").iterdir()
    page = course.root / "feedback" / "ada" / "async" / "work.html"
    assert released.samefile(page)
    shown = released.read_bytes()
    course.must_run("nbgrader", "generate_feedback", "async", "--force", "--FeedbackExporter.exclude_input=True")
    assert page.read_bytes() != shown == released.read_bytes()
    course.must_run("nbgrader", *release)
    assert list(released.parent.iterdir()) == [released] and released.samefile(page)


def test_collecting_a_zip_says_what_it_took_and_where_it_put_it(submitted: SmallCourse, tmp_path: Path):
    course = submitted.copy(tmp_path / "course")
    arrived = course.root / "downloaded" / "async" / "archive"
    arrived.mkdir(parents=True)
    with zipfile.ZipFile(arrived / "all.zip", "w") as archive:
        archive.writestr("cleo_work.ipynb", json.dumps(course.solved()))
        archive.writestr("notes.txt", "nothing to grade")
    named = "--FileNameCollectorPlugin.named_regexp="
    nothing = course.nbgrader("zip_collect", "async", named + r"(?P<student_id>\d+)_(?P<file_id>work)\.ipynb")
    assert "did not match anything in" in nothing.stderr
    assert "0 files collected, 2 files skipped" in nothing.stderr
    pattern = r".*/(?P<student_id>[a-z]+)_(?P<file_id>work)\.ipynb"
    done = course.must_run("nbgrader", "zip_collect", "async", "--force", named + pattern)
    taken = course.root / "submitted" / "cleo" / "async" / "work.ipynb"
    assert nbformat.read(taken, as_version=4).cells
    assert f"Copying to: {taken}" in done.stderr
    assert "1 files collected, 1 files skipped" in done.stderr
    assert f"no match information provided: {course.root}/downloaded/async/extracted/all/notes.txt" in done.stderr


@pytest.mark.exhaustive
def test_what_is_entered_into_the_gradebook_or_removed_from_it_is_said(submitted: SmallCourse, tmp_path: Path):
    course = submitted.copy(tmp_path / "course")
    for words, output in {
        ("student", "add", "eve"): "Creating/updating student with ID 'eve'",
        ("student", "remove", "eve"): "Removing student with ID 'eve'",
        ("assignment", "add", "asink"): "Creating/updating assignment with ID 'asink'",
        ("assignment", "remove", "asink"): "Removing assignment with ID 'asink'",
        ("assignment", "remove", "async", "--force"): "Removing associated grades",
    }.items():
        done = course.nbgrader("db", *words)
        assert done.returncode == 0 and output in done.stderr, done.stderr
    done = course.nbgrader("db", "assignment", "remove", "async", "--force")
    assert done.returncode == 1 and "No such assignment: 'async'" in done.stderr


def test_what_the_exchange_was_given_is_said_and_listed(course: SmallCourse, tmp_path: Path):
    root = tmp_path / "exchange"
    root.mkdir(mode=0o777)
    course.configure(f"c.Exchange.root = {str(root)!r}\n")
    assert course.nbgrader("list").stdout == f"{root}, released: nothing.\n"
    done = course.nbgrader("release_assignment", "async")
    assert done.returncode == 0 and "Released as: syncpoint async" in done.stderr
    assert course.nbgrader("list").stdout == f"{root}, released:\nsyncpoint async\n"
    assert course.nbgrader("list", "--inbound").stdout == f"{root}, handed in: nothing.\n"
    assert course.nbgrader("list", "--remove").stdout == f"{root}, released, now removed:\nsyncpoint async\n"
    assert course.nbgrader("list").stdout == f"{root}, released: nothing.\n"
