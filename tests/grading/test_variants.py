"""Variants: every student has own values in the text, and is graded by them, whatever the submission says."""

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import nbformat
import pytest
from classroom import BIN, ROOT, nbgrader_cell
from nbformat.v4 import new_code_cell, new_markdown_cell
from nbgrader.auth import Authenticator
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange.default import ExchangeReleaseAssignment
from plain_class import RIGHT, PlainCourse

from syncpoint.core.language import Language
from syncpoint.core.variants import fill, values_of
from syncpoint.course.assignment import read_assignment
from syncpoint.course.cells import grade_id
from syncpoint.course.folder import Course
from syncpoint.course.intake import METADATA
from syncpoint.course.variants import TEXT, Variants
from syncpoint.judge.job import NotebookJob, key
from syncpoint.nbgrader_hooks.exchange_release import ReleaseAssignment
from syncpoint.viva.measure import Lab

MANY = "[variants]\nk = {from = 2, to = 1000002}\nshape = [[2, 3], [4, 5]]\n"  # nobody draws the same, nor the first
FIRST = {"k": 2, "shape": (2, 3)}
DOUBLE = '''
"""double(x): k times x."""

from syncpoint.graders import hint


@hint("Multiply by {{k}}, whatever x is.")
def test_value(student, rng, variant):
    """The value is right."""
    x = float(rng.integers(3, 99))
    assert student.call("double", x).returned == variant["k"] * x
    assert variant["shape"] in ((2, 3), (4, 5))
'''
VISIBLE = '''
"""double(x): k times x."""


def test_one(student):
    """The value of one."""
    assert student.call("double", 1).returned == {{k}}
'''
WHAT_IF = '''
import torch


def scale(probe, seed):
    """One number, for students whose k is 7."""
    if {{k}} != 7:
        raise ValueError
    with probe.run() as seen:
        seen.mark("begin")
        result = seen.call(probe.find("scale"), torch.ones(1, device="simgpu"))
        seen.mark("end")
        found = probe.fix([result])
    return seen.report(results=found)
'''
STUDENT = """
c = get_config()
c.Exchange.root = {root!r}
c.Exchange.path_includes_course = True
c.CourseDirectory.course_id = "syncpoint"
c.CourseDirectory.student_id = {student!r}
c.ExchangeFactory.fetch_assignment = "syncpoint.nbgrader_hooks.exchange_fetch.FetchAssignment"
"""
FULL, HALF = (2.0, 3.0), (0.0, 3.0)


def write_source(course: PlainCourse) -> None:
    """Put places into every kind of cell."""
    path = course.root / "source" / "async" / "work.ipynb"
    notebook = nbformat.read(path, as_version=4)
    given = nbgrader_cell(new_code_cell, "K = {{k}}\nSHAPE = {{ shape }}", "given", locked=True)
    notebook.cells[:0] = [new_markdown_cell("Multiply by {{k}}, not by {{other}}.", id="text"), given]
    for cell in notebook.cells:
        if cell.id == "double":
            cell.source = (
                'def double(x):\n    """{{k}} times x."""\n    ### BEGIN SOLUTION\n'
                "    return {{k}} * x\n    ### END SOLUTION"
            )
        elif cell.id == "why":
            cell.source = "Why {{k}}?\n\n### BEGIN SOLUTION\n\n### END SOLUTION"
    nbformat.write(notebook, path)
    course.grader("test_double").write_text(DOUBLE)
    (course.root / "grader_tests" / "async" / "visible").mkdir(exist_ok=True)
    (course.root / "grader_tests" / "async" / "visible" / "test_double.py").write_text(VISIBLE)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, plain_engine: Path) -> PlainCourse:
    course = PlainCourse.make(tmp_path_factory.mktemp("variants") / "course")
    course.settings(MANY)
    write_source(course)
    course.nbgrader("generate_assignment", "async", "--force")
    (course.root / "roster.csv").write_text("id,group\nada,g1\nbob,g1\ncy,\n")
    assert "3 added" in course.syncpoint("roster", "roster.csv")
    return course


@pytest.fixture
def course(made: PlainCourse, tmp_path: Path) -> PlainCourse:
    return made.copy(tmp_path / "course")


@pytest.fixture
def drawn(course: PlainCourse) -> PlainCourse:
    """The course after `syncpoint variants`."""
    assert "3 students" in course.syncpoint("variants", "async")
    return course


def values(course: PlainCourse) -> dict[str, dict[str, Any]]:
    """The values of each student, from the gradebook."""
    with closing(sqlite3.connect(course.root / "gradebook.db")) as gradebook:
        rows = gradebook.execute("SELECT student, variant FROM syncpoint_variants").fetchall()
    return {student: values_of(variant) for student, variant in rows}


def texts(folder: Path) -> dict[str, str]:
    """The text of each cell of a notebook, by the exercise's id or the cell's."""
    cells = nbformat.read(folder / "work.ipynb", as_version=4).cells
    return {grade_id(cell) or cell.id: cell.source for cell in cells}


def hand_in(course: PlainCourse, student: str, k: int, release: str = "") -> None:
    """Submit the notebook of the student, or another one, with a solution that multiplies by k."""
    folder = release or f"variants/{student}"
    notebook = json.loads((course.root / folder / "async" / "work.ipynb").read_text())
    for cell in notebook["cells"]:
        if cell["id"] == "double":
            cell["source"] = f"def double(x):\n    return {k} * x"
        elif cell["id"] == "square":
            cell["source"] = "def square(x):\n    return x * x"
    course.submit(student, notebook)


# --- the settings -------------------------------------------------------------------------------------------------


def settings(tmp_path: Path, text: str) -> Variants:
    (tmp_path / "assignment.toml").write_text(text)
    return read_assignment(tmp_path / "assignment.toml").variants


def test_variants_by_number_contain_every_value_and_the_first_is_that_of_the_release(tmp_path: Path):
    variants = settings(tmp_path, '[variants]\nk = [3, 4, 5]\nn = {from = 1, to = 7, step = 3}\nname = ["a", "b"]')
    found = [values_of(variants.number(number)) for number in range(3)]
    assert found[0] == {"k": 3, "n": 1, "name": "a"}
    assert [one["k"] for one in found] == [3, 4, 5] and [one["n"] for one in found] == [1, 4, 7]
    assert {one["name"] for one in found} == {"a", "b"}


def test_without_variants_there_is_nothing_to_draw_or_to_show(tmp_path: Path):
    variants = settings(tmp_path, 'title = "t"')
    assert (variants.number(), variants.draw(), variants.now("")) == ("", "", "")
    assert fill("{{k}}", "") == "{{k}}"


def test_values_that_were_drawn_stay_and_new_names_have_their_first_value(tmp_path: Path):
    variants = settings(tmp_path, "[variants]\nk = [3, 4]\nn = [1, 2]")
    assert values_of(variants.now('{"k": 99, "gone": 1}')) == {"k": 99, "n": 1}


def test_texts_stand_as_they_are_and_other_values_as_python_has_them():
    variant = '{"name": "row", "shape": [2, [3]], "x": 0.5, "on": true}'
    assert fill("{{name}} {{ shape }} {{x}} {{on}} {{k}} {name}", variant) == "row (2, (3,)) 0.5 True {{k}} {name}"


@pytest.mark.parametrize(
    "text",
    [
        "variants = 3",
        "[variants]\nk = []",
        "[variants]\nk = 3",
        "[variants]\nk = {from = 3}",
        "[variants]\nk = {from = 3, to = 2}",
        "[variants]\nk = {from = 3, to = 5, step = 0}",
        "[variants]\nk = {from = 3, to = 5.0}",
        "[variants]\nk = [{a = 1}]",
        "[variants]\nk = [2026-01-01]",
        "[variants]\nk-1 = [3]",
    ],
)
def test_what_is_no_list_of_values_is_refused(tmp_path: Path, text: str):
    with pytest.raises(ValueError, match=r"assignment.toml: variants"):
        settings(tmp_path, text)


def test_a_text_with_values_is_translated_as_the_text_with_the_places():
    sentences = {"{{k}} times x, not {{j}}, {{k}} times": "{{j}} não: {{k}} vezes", "A hint.": "Uma dica."}
    language = Language("pt_BR", sentences=sentences)
    assert language.word("3 times x, not (2, 3), 3 times") == "(2, 3) não: 3 vezes"
    assert language.word("3 times x, not 2, 4 times") == "3 times x, not 2, 4 times"
    assert language.word("A hint.") == "Uma dica."


def test_files_that_are_not_notebooks_and_show_a_value_are_named(tmp_path: Path):
    variants = settings(tmp_path, "[variants]\nk = [3, 4]")
    for name, text in {"work.ipynb": "{{k}}", "plot.py": "{{other}}", ".hidden": "{{k}}", "_mine.txt": "{{k}}"}.items():
        (tmp_path / name).write_text(text)
    assert variants.in_other_files(tmp_path) == ""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "rows.csv").write_bytes(b"\xff{{ k }}")
    assert variants.in_other_files(tmp_path) == "data/rows.csv"


# --- releases -----------------------------------------------------------------------------------------------------

pytestmark = pytest.mark.slow


def test_a_release_shows_the_first_values_and_no_solution(made: PlainCourse):
    release = made.root / "release" / "async"
    found = texts(release)
    assert "Multiply by 2, not by {{other}}." in found["text"]
    assert found["given"] == "K = 2\nSHAPE = (2, 3)"
    assert found["double"].startswith('def double(x):\n    """2 times x."""') and "Why 2?" in found["why"]
    assert "returned == 2" in (release / "visible" / "test_double.py").read_text()
    cells = nbformat.read(release / "work.ipynb", as_version=4).cells
    assert {cell.id for cell in cells if TEXT in cell.metadata} == {"text", "given", "double", "why"}
    assert "{{k}} * x" not in (release / "work.ipynb").read_text()


def test_a_name_that_no_notebook_shows_is_refused(course: PlainCourse):
    course.settings(MANY + "unused = [1]\n")
    done = course.nbgrader("generate_assignment", "async", "--force")
    assert done.returncode and "no notebook has unused" in done.stderr


def test_a_file_next_to_the_notebooks_that_shows_a_value_is_refused(course: PlainCourse):
    (course.root / "source" / "async" / "rows.csv").write_text("{{k}},1\n")
    done = course.nbgrader("generate_assignment", "async", "--force")
    assert done.returncode and "rows.csv shows a value" in done.stderr and "`draw({{k}})`" in done.stderr


def test_each_student_gets_a_release_with_own_values_which_stay(drawn: PlainCourse):
    found = values(drawn)
    assert len({one["k"] for one in found.values()} | {FIRST["k"]}) == 4
    for student, mine in found.items():
        folder = drawn.root / "variants" / student / "async"
        assert texts(folder)["given"] == f"K = {mine['k']}\nSHAPE = {mine['shape']}"
        assert f"returned == {mine['k']}" in (folder / "visible" / "test_double.py").read_text()
        released = {path.name for path in (drawn.root / "release" / "async").iterdir()}
        assert {path.name for path in folder.iterdir()} == released
    drawn.nbgrader("db", "student", "add", "dora")
    assert "4 students" in drawn.syncpoint("variants", "async")
    assert values(drawn).items() > found.items()


def test_an_assignment_without_variants_or_a_release_of_them_has_none_to_draw(course: PlainCourse):
    course.settings(MANY + "later = [1]\n")
    assert "made without these variants" in course.syncpoint("variants", "async", status=1)
    course.settings("")
    assert "no values below [variants]" in course.syncpoint("variants", "async", status=1)
    assert not (course.root / "variants").exists()


def test_students_fetch_their_own_release_and_nobody_a_foreign_one(drawn: PlainCourse, tmp_path: Path):
    exchange = tmp_path / "exchange"
    exchange.mkdir()
    exchange.chmod(0o777)
    drawn.configure(f"c.Exchange.root = {str(exchange)!r}\n")
    drawn.must_run("nbgrader", "release_assignment", "async")
    variants = exchange / "syncpoint" / "variants" / "async"

    def fetch(student: str) -> tuple[int, str, Path]:
        home = PlainCourse(tmp_path / student)
        home.root.mkdir(exist_ok=True)
        (home.root / "nbgrader_config.py").write_text(STUDENT.format(root=str(exchange), student=student))
        done = home.nbgrader("fetch_assignment", "async", "--replace")
        return done.returncode, done.stderr, home.root / "syncpoint" / "async"

    (variants / "ada" / "broken").symlink_to("nowhere")
    assert fetch("ada")[0] and not (tmp_path / "ada" / "syncpoint" / "async").exists()
    (variants / "ada" / "broken").unlink()
    for student, mine in values(drawn).items():
        status, errors, folder = fetch(student)
        assert status == 0, errors
        assert texts(folder)["given"].startswith(f"K = {mine['k']}\n")
        assert {path.name for path in folder.iterdir()} == {
            path.name for path in (drawn.root / "release" / "async").iterdir()
        }
    (folder / "work.ipynb").unlink()
    (folder / "visible" / "test_double.py").write_text("mine")
    assert fetch(student)[0] == 0
    assert texts(folder)["given"].startswith(f"K = {mine['k']}\n")
    assert (folder / "visible" / "test_double.py").read_text() == "mine"
    variants.rename(variants.with_name("away"))  # as for a moment during a release
    status, errors, folder = fetch("newcomer")
    assert status and "There is no variant of async for you yet" in errors and not folder.exists()
    variants.with_name("away").rename(variants)
    assert variants.stat().st_mode & 0o777 == variants.parent.stat().st_mode & 0o777 == 0o711
    drawn.syncpoint("forget", "ada", "--yes")
    assert "ada" not in values(drawn) and not (drawn.root / "variants" / "ada").exists()
    assert not (variants / "ada").exists()
    drawn.settings("")
    drawn.nbgrader("generate_assignment", "async", "--force")
    drawn.must_run("nbgrader", "release_assignment", "async", "--force")
    assert fetch("newcomer")[0] == 0 and not variants.exists()


def test_nothing_is_released_to_an_exchange_before_values_are_drawn(course: PlainCourse, tmp_path: Path):
    done = course.nbgrader("release_assignment", "async", f"--Exchange.root={tmp_path}")
    assert done.returncode and "run `syncpoint variants async`" in done.stderr
    assert not (tmp_path / "syncpoint" / "outbound" / "async").exists()


def test_variants_are_there_before_the_release_and_as_before_if_it_fails(
    drawn: PlainCourse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    place = tmp_path / "syncpoint" / "variants" / "async"
    seen = []

    def full(release: ReleaseAssignment) -> None:
        seen.append(sorted(path.name for path in place.iterdir()))
        raise OSError("No space left on device")

    monkeypatch.setattr(ExchangeReleaseAssignment, "copy_files", full)
    config = Course(drawn.root).settings()
    config.Exchange.root = str(tmp_path)
    folders = CourseDirectory(config=config, root=str(drawn.root), assignment_id="async")
    release = ReleaseAssignment(coursedir=folders, authenticator=Authenticator(config=config), config=config)
    with pytest.raises(OSError, match="No space left"):
        release.start()
    assert not list(place.parent.iterdir())
    (place / "cy").mkdir(parents=True)
    place.parent.chmod(0o2775)  # which may be another instructor's
    with pytest.raises(OSError, match="No space left"):
        release.start()
    assert [path.name for path in place.iterdir()] == ["cy"] and place.parent.stat().st_mode & 0o7777 == 0o2775
    assert seen == [["ada", "bob", "cy"]] * 2


# --- grading ------------------------------------------------------------------------------------------------------


def test_students_are_graded_by_their_own_values_and_read_their_own_text(drawn: PlainCourse):
    found = values(drawn)
    hand_in(drawn, "ada", found["ada"]["k"])
    hand_in(drawn, "bob", found["ada"]["k"], release="variants/ada")  # a whole notebook of a neighbor's
    hand_in(drawn, "cy", found["cy"]["k"])
    hand_in(drawn, "dora", FIRST["k"], release="release")  # of whom no roster knows
    drawn.syncpoint("grade", "async")
    assert drawn.scores() == {"ada": FULL, "bob": HALF, "cy": FULL, "dora": FULL}
    assert "4 unchanged" in drawn.syncpoint("grade", "async")
    for student, k in (("ada", found["ada"]["k"]), ("bob", found["bob"]["k"]), ("dora", 2)):
        graded = texts(drawn.root / "autograded" / student / "async")
        assert graded["given"].startswith(f"K = {k}\n")
    drawn.must_run("nbgrader", "generate_feedback", "async")
    assert f"K = {found['ada']['k']}" in drawn.feedback_text("ada")
    assert f"Multiply by {found['bob']['k']}, whatever x is." in drawn.feedback_text("bob")
    assert f"Multiply by {found['bob']['k']}, whatever" in drawn.syncpoint("why", "bob", "async")


def test_a_wrong_answer_that_is_right_for_the_values_of_another_student_is_named(drawn: PlainCourse):
    found = values(drawn)
    hand_in(drawn, "ada", found["ada"]["k"])
    hand_in(drawn, "bob", found["cy"]["k"])
    hand_in(drawn, "cy", FIRST["k"])
    hand_in(drawn, "dora", 1, release="release")
    drawn.syncpoint("grade", "async")
    lines = drawn.syncpoint("variants", "async", "--check").splitlines()
    wrong = "double is wrong for the student's own values, and right for those of"
    assert lines == [
        f"bob: {wrong} cy.",
        f"cy: {wrong} the release.",
        "Wrong answers that are right for other values: 2.",
    ]


def test_the_stub_of_a_variant_is_not_compared_as_the_own_code_of_a_student(drawn: PlainCourse):
    shutil.copytree(drawn.root / "variants" / "ada" / "async", drawn.folder("ada"), dirs_exist_ok=True)
    hand_in(drawn, "bob", 5)
    drawn.syncpoint("similarity", "async")
    files = drawn.root / ".syncpoint" / "similarity" / "async" / "files"
    assert (files / "ada" / "work.py").read_text() == "\n"
    assert (files / "bob" / "work.py").read_text().startswith("def double(x):\n    return 5 * x\n")


def test_a_notebook_in_another_language_has_the_same_values(course: PlainCourse):
    release = nbformat.read(course.root / "release" / "async" / "work.ipynb", as_version=4)
    release.metadata[METADATA] = "pt_BR"
    (given,) = [cell for cell in release.cells if grade_id(cell) == "given"]
    given.metadata[TEXT] = given.source = "K = {{k}}  # o fator\nSHAPE = {{shape}}"
    (course.root / "release" / "async" / "languages" / "pt_BR").mkdir(parents=True)
    nbformat.write(release, course.root / "release" / "async" / "languages" / "pt_BR" / "work.ipynb")
    course.syncpoint("variants", "async")
    k = values(course)["ada"]["k"]
    mine = json.loads((course.root / "variants" / "ada" / "async" / "languages" / "pt_BR" / "work.ipynb").read_text())
    for cell in mine["cells"]:
        if cell["id"] in RIGHT:
            cell["source"] = RIGHT[cell["id"]].replace("2 * x", "K * x")
    course.submit("ada", mine)
    course.syncpoint("grade", "async")
    assert course.scores() == {"ada": FULL}
    assert texts(course.root / "autograded" / "ada" / "async")["given"].startswith(f"K = {k}  # o fator\n")


def test_an_answer_that_nobody_has_written_is_known_in_each_variant(drawn: PlainCourse):
    hand_in(drawn, "ada", 1)
    drawn.syncpoint("grade", "async")
    with closing(sqlite3.connect(drawn.root / "gradebook.db")) as gradebook:
        rows = gradebook.execute(
            "SELECT auto_comment FROM comment JOIN base_cell ON base_cell.id = comment.cell_id "
            "WHERE base_cell.name = 'why'"
        ).fetchall()
    assert rows == [("No response.",)]


def test_equal_code_is_judged_once_for_each_variant(drawn: PlainCourse):
    for student in ("ada", "bob", "dora", "eve"):
        hand_in(drawn, student, 2, release="release")
    drawn.syncpoint("grade", "async")
    assert drawn.scores() == {"ada": HALF, "bob": HALF, "dora": FULL, "eve": FULL}
    with closing(sqlite3.connect(drawn.root / "gradebook.db")) as gradebook:
        keys = dict(gradebook.execute("SELECT student, result FROM syncpoint_notebooks").fetchall())
    assert len(set(keys.values())) == 3 and keys["dora"] == keys["eve"]


def test_students_who_have_submitted_keep_the_values_of_the_release(course: PlainCourse):
    hand_in(course, "ada", FIRST["k"], release="release")
    course.syncpoint("grade", "async")
    course.syncpoint("variants", "async")
    assert values(course)["ada"] == FIRST != values(course)["bob"]
    assert "1 unchanged" in course.syncpoint("grade", "async")


def test_a_group_in_which_one_has_submitted_keeps_the_values_of_the_release(course: PlainCourse):
    course.settings("groups = true\n" + MANY)
    hand_in(course, "bob", FIRST["k"], release="release")
    course.syncpoint("variants", "async")
    found = values(course)
    assert found["ada"] == found["bob"] == FIRST != found["cy"]


def test_values_that_are_drawn_later_are_graded_by_at_once(course: PlainCourse):
    hand_in(course, "dora", FIRST["k"], release="release")
    course.syncpoint("grade", "async")
    assert course.scores()["dora"] == FULL
    with closing(sqlite3.connect(course.root / "gradebook.db")) as gradebook:
        gradebook.execute("INSERT INTO syncpoint_variants VALUES ('dora', 'async', '{\"k\": 7}')")
        gradebook.commit()
    course.syncpoint("grade", "async")
    assert course.scores()["dora"] == HALF


def test_a_group_has_one_variant_and_a_submission_counts_by_that_of_its_author(course: PlainCourse):
    course.settings("groups = true\n" + MANY)
    course.syncpoint("variants", "async")
    found = values(course)
    assert found["ada"] == found["bob"] != found["cy"]
    hand_in(course, "ada", found["ada"]["k"])
    # A group that no roster has: each names the other, and each had a variant of their own.
    hand_in(course, "cy", found["cy"]["k"])
    (course.folder("cy") / "group.txt").write_text("dora\n")
    course.nbgrader("db", "student", "add", "dora")
    course.syncpoint("variants", "async")
    shutil.copytree(course.root / "variants" / "dora" / "async", course.folder("dora"), dirs_exist_ok=True)
    (course.folder("dora") / "group.txt").write_text("cy\n")
    course.syncpoint("grade", "async")
    assert course.scores() == dict.fromkeys(("ada", "bob", "cy", "dora"), FULL)


def test_the_key_of_a_result_contains_the_values(course: PlainCourse):
    spec, job = Course(course.root).spec("async"), NotebookJob("work", ())
    keys = {key(spec, NotebookJob("work", (), variant=one)) for one in ('{"k": 1}', '{"k": 2}')}
    assert len(keys | {key(spec, job)}) == 3


# --- the bank, and tests by hand ----------------------------------------------------------------------------------


def test_the_bank_is_vetted_with_other_values_each_time(course: PlainCourse):
    course.settings("[variants]\nk = [2, 3, 4]\nshape = [[2, 3], [4, 5]]\n")
    bank = course.root / "grader_tests" / "async" / "bank" / "double"
    bank.mkdir(parents=True)
    (bank / "01_ok_book.py").write_text("# The book's.\ndef double(x):\n    return {{k}} * x\n")
    (bank / "02_ok_given.py").write_text("# By the given name.\ndef double(x):\n    return K * x\n")
    (bank / "11_bad_two.py").write_text("# Always two.\n# breaks: k\ndef double(x):\n    return 2 * x\n")
    course.syncpoint("vet", "solutions", "async/double/0*", "--repeat", "3")
    course.syncpoint("vet", "solutions", "async/double/11*", "--repeat", "3", "--json", "found.json", status=1)
    trials = json.loads((course.root / "found.json").read_text())["trials"]
    assert sorted(values_of(one["details"][0])["k"] for one in trials) == [2, 3, 4]
    assert sorted(one["score"] for one in trials) == [0.0, 0.0, 2.0]


def test_the_tests_by_hand_use_the_values_of_the_release(course: PlainCourse):
    done = course.run(
        str(BIN / "pytest"), "grader_tests/async", "--ignore=grader_tests/async/visible", "-q", "-p", "no:cacheprovider"
    )
    assert done.returncode == 0 and "2 passed" in done.stdout, done.stdout


def test_an_exercise_on_pytorch_may_have_variants(tmp_path: Path, torch_engine: Path):
    course = PlainCourse(tmp_path / "course")
    course.root.mkdir()
    shutil.copy(ROOT / "nbgrader_config.py", course.root)
    (course.root / ".venv-torch").symlink_to(torch_engine)
    course.syncpoint("new", "steps", "--engine", "torch")
    course.syncpoint("new", "steps", "scale")
    tests = course.root / "grader_tests" / "steps"
    with (tests / "assignment.toml").open("a") as settings:
        settings.write("[variants]\nk = {from = 2, to = 1000002}\n")
    notebook, grader = course.root / "source" / "steps" / "steps.ipynb", tests / "test_scale.py"
    notebook.write_text(notebook.read_text().replace("x * 2", "x * {{k}}").replace("[2.0, 4.0]", "[{{k}}, 2 * {{k}}]"))
    text = grader.read_text().replace("(student, rng)", "(student, rng, variant)")
    grader.write_text(text.replace("(returned, x)", '(returned, x * variant["k"] / 2)'))
    for path in (tests / "bank" / "scale").glob("*.py"):
        path.write_text(path.read_text().replace("x * 2", "x * {{k}}"))
    (tests / "visible").mkdir(exist_ok=True)
    (tests / "visible" / "what_if.py").write_text(WHAT_IF)
    course.syncpoint("vet", "solutions", "steps", "--repeat", "2")
    course.syncpoint("vet", "checks", "steps")
    course.must_run("nbgrader", "generate_assignment", "steps")
    (course.root / "roster.csv").write_text("id\nada\nbob\n")
    course.syncpoint("roster", "roster.csv")
    course.syncpoint("variants", "steps")
    adas = course.root / "variants" / "ada" / "steps"
    (k,) = {one["k"] for student, one in values(course).items() if student == "ada"}
    solved = nbformat.read(adas / "steps.ipynb", as_version=4)
    (cell,) = [cell for cell in solved.cells if cell.id == "scale"]
    cell.source = f"def scale(x):\n    return x * {k}"
    for student in ("ada", "bob"):
        folder = course.root / "submitted" / student / "steps"
        folder.mkdir(parents=True)
        nbformat.write(solved, folder / "steps.ipynb")
    course.syncpoint("grade", "steps")
    with closing(sqlite3.connect(course.root / "gradebook.db")) as gradebook:
        marks = gradebook.execute(
            "SELECT student, points FROM syncpoint_verdicts JOIN syncpoint_notebooks AS one ON one.id = notebook_id"
        ).fetchall()
    assert dict(marks) == {"ada": 2.0, "bob": 0.0}
    lab = Lab.of(Course(course.root), "steps")
    cell.source = "def scale(x):\n    return x * 7"
    jobs = [NotebookJob.of("steps", solved, (), (), lab.spec, f'{{"k": {number}}}') for number in (7, 8)]
    assert [lab.run(job, "scale", 1).error is None for job in jobs] == [True, False]
    assert [all(test.passed for test in lab.judge(job, "scale").tests) for job in jobs] == [True, False]
