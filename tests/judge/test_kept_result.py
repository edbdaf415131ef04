"""What the store keeps of a run: its result, without words and markup; tests/grading/test_grading.py is about when."""

import gzip
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from classroom import SmallCourse
from nbformat.v4 import new_code_cell
from sqlalchemy import create_engine, select

from syncpoint.core.texts import TEXTS
from syncpoint.course.folder import Course
from syncpoint.judge.result_store import Store
from syncpoint.records.tables import NotebookRecord

# Two runs of this never print the same: who finds the same text again has found the same run.
TOKEN = "import os\nprint('TOKEN', os.urandom(8).hex())"


def with_token(course: SmallCourse, *more: str) -> dict[str, Any]:
    """The solved notebook, with cells at its end."""
    notebook = course.solved()
    for source in (TOKEN, *more):
        cell = new_code_cell(source)
        cell.pop("id")
        notebook["cells"].append(cell)
    return notebook


def token(course: SmallCourse) -> str:
    """Return the output of ada's last run in the graded notebook."""
    text = (course.root / "autograded" / "ada" / "async" / "work.ipynb").read_text()
    return re.findall(r"TOKEN (\w+)", text)[0]


def stored(course: SmallCourse) -> dict[str, str]:
    """Return the content of the store: key -> the token in it."""
    folder = Course(course.root).results
    found = {}
    for path in folder.rglob("*.json.gz"):
        text = gzip.decompress(path.read_bytes()).decode()
        found[path.parent.name + path.name.removesuffix(".json.gz")] = re.findall(r"TOKEN (\w+)", text)[0]
    return found


def again(course: SmallCourse) -> str:
    """Grade as if nothing had been graded; return the output."""
    shutil.rmtree(course.root / "autograded" / "ada")
    done = course.must_run("nbgrader", "autograde", "async")
    return done.stderr


@pytest.fixture(scope="module")
def judged(released: SmallCourse, tmp_path_factory: pytest.TempPathFactory) -> SmallCourse:
    """Ada's work, graded once.  Read only: copy it to change it."""
    course = released.copy(tmp_path_factory.mktemp("judged") / "course")
    course.submit("ada", with_token(course))
    done = course.nbgrader("autograde", "async")
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
def test_better_words_of_a_grader_are_shown(ada: SmallCourse):
    for hint, seen in (("Look here.", "times"), ("Look there.", "times in all")):
        ada.grader("test_double").write_text("# A comment.\n" + HINTED.format(hint=hint, seen=seen))
        again(ada)
    page = (ada.root / "autograded" / "ada" / "async" / "work.ipynb").read_text()
    words = ("Look there.", "Look here.", "It was seen 3 times in all.", "It was seen 3 times.")
    assert [word in page for word in words] == [True, False, True, False]
    assert ada.scores() == {"ada": (4, 0)}


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
def test_a_kernel_that_somebody_killed_leaves_nothing_in_the_store(ada: SmallCourse):
    before = stored(ada)
    ada.submit("ada", with_token(ada, "os.kill(os.getpid(), 9)"))
    assert "ada: the kernel was killed again: these points are not stored" in again(ada)
    assert stored(ada) == before


def test_a_store_that_cannot_be_written_costs_no_points(ada: SmallCourse):
    shutil.rmtree(ada.root / ".syncpoint")
    (ada.root / ".syncpoint").touch()
    assert "ada: the result could not be stored" in again(ada)
    assert ada.scores() == {"ada": (4, 2)}
