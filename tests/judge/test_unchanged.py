"""Unchanged work is not run again, with the real command line on the real engine."""

import gzip
import json
import re
import shutil
from pathlib import Path
from typing import Any

import nbformat
import pytest
from classroom import SmallCourse
from nbformat.v4 import new_code_cell
from sqlalchemy import create_engine, select

from syncpoint.core.texts import TEXTS
from syncpoint.course.folder import Course
from syncpoint.judge.store import Store
from syncpoint.records.tables import NotebookRecord

# Two runs of this never print the same: who finds the same text again has found the same run.
TOKEN = "import os\nprint('TOKEN', os.urandom(8).hex())"
GRADE = ("autograde", "async")


def with_token(course: SmallCourse, *more: str) -> dict[str, Any]:
    """The solved notebook, with cells at its end."""
    notebook = course.solved()
    for source in (TOKEN, *more):
        cell = new_code_cell(source)
        cell.pop("id")
        notebook["cells"].append(cell)
    return notebook


def token(course: SmallCourse, student: str = "ada") -> str:
    """Return the output of the student's last run in the graded notebook."""
    text = (course.root / "autograded" / student / "async" / "work.ipynb").read_text()
    return re.findall(r"TOKEN (\w+)", text)[0]


def stored(course: SmallCourse) -> dict[str, str]:
    """Return the content of the store: key -> the token in it."""
    folder = Course(course.root).results
    found = {}
    for path in folder.rglob("*.json.gz"):
        text = gzip.decompress(path.read_bytes()).decode()
        found[path.parent.name + path.name.removesuffix(".json.gz")] = re.findall(r"TOKEN (\w+)", text)[0]
    return found


def again(course: SmallCourse, *options: str) -> str:
    """Grade as if nothing had been graded; return the output."""
    shutil.rmtree(course.root / "autograded" / "ada")
    done = course.nbgrader(*GRADE, *options)
    assert done.returncode == 0, done.stderr
    return done.stderr


@pytest.fixture(scope="module")
def judged(released: SmallCourse, tmp_path_factory: pytest.TempPathFactory) -> SmallCourse:
    """Ada's work, graded once.  Read only: copy it to change it."""
    course = released.copy(tmp_path_factory.mktemp("judged") / "course")
    course.submit("ada", with_token(course))
    done = course.nbgrader(*GRADE)
    assert (done.returncode, course.scores()) == (0, {"ada": (4, 2)}), done.stderr
    return course


@pytest.fixture
def ada(judged: SmallCourse, tmp_path: Path) -> SmallCourse:
    """Ada's graded work, for this test alone."""
    return judged.copy(tmp_path / "elsewhere" / "course")


def record(course: SmallCourse) -> NotebookRecord:
    """Return ada's rows in the gradebook's database."""
    with create_engine(f"sqlite:///{course.root}/gradebook.db").connect() as connection:
        return connection.execute(select(NotebookRecord).where(NotebookRecord.student == "ada")).one()


def test_the_gradebook_names_the_result(judged: SmallCourse):
    assert stored(judged) == {record(judged).result: token(judged)}


def test_what_is_unchanged_is_not_run_again(ada: SmallCourse):
    first, before = token(ada), record(ada)
    notebook = (ada.root / "autograded" / "ada" / "async" / "work.ipynb").read_bytes()
    again(ada)
    assert (token(ada), record(ada).total, ada.scores()) == (first, before.total, {"ada": (4, 2)})
    assert (ada.root / "autograded" / "ada" / "async" / "work.ipynb").read_bytes() == notebook


@pytest.mark.exhaustive
def test_force_runs_again_and_keeps_the_new_result(ada: SmallCourse):
    first = token(ada)
    again(ada, "--force")
    assert token(ada) != first
    assert stored(ada) == {record(ada).result: token(ada)}


@pytest.mark.exhaustive
def test_a_changed_answer_in_words_needs_no_run(ada: SmallCourse):
    first, notebook = token(ada), with_token(ada)
    next(cell for cell in notebook["cells"] if cell["cell_type"] == "markdown")["source"] = "Because I say so."
    ada.submit("ada", notebook)
    again(ada)
    graded = json.loads((ada.root / "autograded" / "ada" / "async" / "work.ipynb").read_text())
    assert token(ada) == first
    assert ["Because I say so."] in [cell["source"] for cell in graded["cells"]]


@pytest.mark.exhaustive
def test_other_points_change_every_score_and_nothing_runs_again(ada: SmallCourse):
    half = "def double(x):\n    return x * 2 if x.size < 9 else x"
    ada.submit("ada", with_token(ada))
    ada.submit("bob", {**with_token(ada), "cells": [*ada.solved(double=half)["cells"], *with_token(ada)["cells"][-1:]]})
    assert ada.nbgrader(*GRADE).returncode == 0
    first, before = {name: token(ada, name) for name in ("ada", "bob")}, ada.scores()
    source = ada.root / "source" / "async" / "work.ipynb"
    notebook = nbformat.read(source, 4)
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id") == "test_double":
            cell.metadata.nbgrader.points = 6
    nbformat.write(notebook, source)
    assert ada.nbgrader("generate_assignment", "async", "--force").returncode == 0
    shutil.rmtree(ada.root / "autograded")
    assert ada.nbgrader(*GRADE).returncode == 0
    assert {name: token(ada, name) for name in first} == first
    assert ada.scores() == {name: (one, 3 * two) for name, (one, two) in before.items()}
    assert before["ada"] != before["bob"] and before["bob"][1] > 0


@pytest.mark.exhaustive
def test_a_changed_grader_runs_again(ada: SmallCourse):
    first = token(ada)
    ada.grader("test_double").write_text("def test_never(student):\n    assert False\n")
    again(ada)
    assert token(ada) != first
    assert ada.scores() == {"ada": (4, 0)}


HINTED = '''
from syncpoint.graders import hint, misconception, saw


@hint("{hint}")
def test_never(student):
    """It never passes."""
    count = 3
    with saw("It was seen {{count}} {seen}.", count=count):
        assert False
'''


@pytest.mark.exhaustive
def test_a_better_hint_is_shown(ada: SmallCourse):
    ada.grader("test_double").write_text(HINTED.format(hint="Look here.", seen="times"))
    again(ada)
    ada.grader("test_double").write_text("# A comment.\n" + HINTED.format(hint="Look there.", seen="times"))
    again(ada)
    page = (ada.root / "autograded" / "ada" / "async" / "work.ipynb").read_text()
    words = ("Look there.", "Look here.", "It was seen 3 times.")
    assert [word in page for word in words] == [True, False, True]
    assert ada.scores() == {"ada": (4, 0)}


@pytest.mark.exhaustive
def test_a_better_sentence_of_what_was_seen_is_shown(ada: SmallCourse):
    for seen in ("times", "times in all"):
        ada.grader("test_double").write_text(HINTED.format(hint="Look here.", seen=seen))
        again(ada)
    page = (ada.root / "autograded" / "ada" / "async" / "work.ipynb").read_text()
    assert "It was seen 3 times in all." in page and "It was seen 3 times." not in page


@pytest.mark.exhaustive
def test_the_store_holds_no_markup_and_no_words_of_ours_but_templates(ada: SmallCourse):
    ada.grader("test_double").write_text(HINTED.format(hint="Look here.", seen="times"))
    ada.submit("ada", with_token(ada, "raise ValueError"))
    again(ada)
    path = Store(Course(ada.root).results).path(record(ada).result)
    # A detail is what pytest said to instructors, with lines of the grader as it was.
    text = re.sub(r'"detail":"(\\.|[^"\\])*"', "", gzip.decompress(path.read_bytes()).decode())
    assert '"failed"' in text and '{"count":"3"}' in text and '"code":"raised"' in text
    own = ["Look here.", "It never passes.", "<div"]
    written = [*(sentence for sentence in TEXTS.values() if " " in sentence), *own]
    parts = [part for sentence in written for part in re.split(r"{.*?}", sentence) if part.count(" ") > 1]
    assert [part for part in [*parts, *own] if part in text] == []


@pytest.mark.exhaustive
def test_a_torn_file_is_judged_again_and_repaired(ada: SmallCourse):
    first, store = token(ada), Store(Course(ada.root).results)
    path = store.path(record(ada).result)
    path.write_bytes(path.read_bytes()[:-9])
    again(ada)
    assert token(ada) != first
    assert stored(ada) == {record(ada).result: token(ada)}


@pytest.mark.exhaustive
def test_formgraders_button_uses_the_store(ada: SmallCourse):
    first = token(ada)
    button = (
        "from nbgrader.apps import NbGrader, NbGraderAPI; from nbgrader.coursedir import CourseDirectory; "
        "app = NbGrader(); app.initialize([]); folder = CourseDirectory(parent=app); "
        "print(NbGraderAPI(folder, parent=app).autograde('async', 'ada'))"
    )
    done = ada.run("python", "-c", button)
    assert "'success': True" in done.stdout, done.stdout + done.stderr
    assert token(ada) == first


@pytest.mark.exhaustive
def test_a_grader_that_breaks_leaves_nothing_in_the_store(ada: SmallCourse):
    before = stored(ada)
    ada.grader("test_double").write_text("def test_broken(student):\n    1 / 0\n")
    again(ada)
    assert (ada.scores(), stored(ada)) == ({"ada": (4, 0)}, before)


@pytest.mark.exhaustive
def test_a_kernel_that_somebody_killed_leaves_nothing_in_the_store(ada: SmallCourse):
    before = stored(ada)
    ada.submit("ada", with_token(ada, "os.kill(os.getpid(), 9)"))
    assert "ada: the kernel was killed again: these points are not kept" in again(ada)
    assert stored(ada) == before


@pytest.mark.exhaustive
def test_a_refused_file_leaves_nothing_in_the_store(ada: SmallCourse):
    before = stored(ada)
    ada.submit("ada", "no notebook")
    again(ada)
    assert (ada.scores(), stored(ada), record(ada).result) == ({"ada": (0, 0)}, before, None)


def test_a_store_that_cannot_be_written_costs_no_points(ada: SmallCourse):
    shutil.rmtree(ada.root / ".syncpoint")
    (ada.root / ".syncpoint").touch()
    assert "ada: the result could not be stored" in again(ada)
    assert ada.scores() == {"ada": (4, 2)}
