"""The anonymous dashboard: one pseudonym for each student everywhere, and nothing that identifies them."""

import concurrent.futures
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import panel as pn
import pytest
from classroom import BIN
from generated_class import Size, generate
from nbgrader.api import Gradebook, Student
from seen import Seen
from sqlalchemy import Engine, insert, select

from syncpoint.core.errors import SyncpointError
from syncpoint.core.messages import words
from syncpoint.course.folder import SIMILARITY_REPORT, Course
from syncpoint.dashboard import queries, verdicts
from syncpoint.dashboard.page import MAKERS
from syncpoint.dashboard.people import anonymous, people
from syncpoint.dashboard.source import Source
from syncpoint.dashboard.url_state import VIEWS, UrlState
from syncpoint.dashboard.views.answers import AnswersView
from syncpoint.dashboard.views.students import StudentsView
from syncpoint.records.gradebook import open_gradebook
from syncpoint.records.pseudonyms import key_file, pseudonym, read_key
from syncpoint.records.regrade import ask
from syncpoint.records.tables import ActRecord, IncidentRecord, NotebookRecord, VivaQuestion, utc_now

QUESTIONS = [queries.students, queries.submissions]
OF_AN_ASSIGNMENT = [
    queries.marks,
    verdicts.incidents,
    verdicts.acts,
    verdicts.costs,
    queries.questions,
    queries.explained,
    verdicts.outcomes,
]


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A class of 30; one of them asks a question, in which they and a path of an incident are named."""
    course = Course(generate(tmp_path_factory.mktemp("anonymous") / "course", Size(30, exercises=2, tests=2)))
    with open_gradebook(course) as gradebook:
        first = gradebook.assignment_submissions("async")[0].student
        output = f"I am {first.first_name} {first.last_name} ({first.id}). Why no points?"
        ask(gradebook, first.id, "async", "benchmark", output)
        graded = gradebook.db.scalar(select(NotebookRecord.id).where(NotebookRecord.student == first.id))
        for number, table in enumerate((IncidentRecord, ActRecord)):
            output = f"submitted/{first.id}/async is odd."
            gradebook.db.add(table(id=10**6 + number, notebook_id=graded, kind="odd", message=words(output)))
        texts = dict.fromkeys(("exercise", "language", "question", "answer", "kind"), "x")
        mine = {"student": first.id, "assignment": "async", "number": 1, "worth": 0, "asked_at": utc_now(), **texts}
        gradebook.db.add(VivaQuestion(**mine, prediction="x", why=output, predicted_at=utc_now()))
        gradebook.db.commit()
    return course


@pytest.fixture(scope="module")
def gradebook(course: Course) -> Iterator[Gradebook]:
    with open_gradebook(course) as gradebook:
        yield gradebook


@pytest.fixture(scope="module")
def hidden(course: Course, gradebook: Gradebook) -> Engine:
    """The gradebook as the anonymous dashboard reads it."""
    return anonymous(gradebook.engine, read_key(course))


@pytest.fixture(scope="module")
def private(gradebook: Gradebook) -> list[str]:
    """The ids and full names of students."""
    rows = gradebook.db.execute(select(Student.id, Student.first_name, Student.last_name))
    return [word for student, first, last in rows for word in (student, f"{first} {last}")]


def reported(frame: pd.DataFrame) -> str:
    return frame.to_csv(index=False)


@pytest.mark.parametrize("question", [*QUESTIONS, *OF_AN_ASSIGNMENT], ids=lambda question: question.__name__)
def test_no_frame_that_is_read_names_anybody(question, gradebook: Gradebook, hidden: Engine, private: list[str]):
    arguments = ["async"] if question in OF_AN_ASSIGNMENT else []
    open_frame, frame = question(gradebook.engine, *arguments), question(hidden, *arguments)
    assert len(frame) == len(open_frame) > 0
    assert [word for word in private if word in reported(frame)] == []
    if "student" in frame:
        assert any(word in reported(open_frame) for word in private)
        assert set(frame.student) == {people(hidden).shown_as(student) for student in open_frame.student}


def test_the_order_of_rows_does_not_tell_that_of_the_ids(hidden: Engine):
    for frame in (queries.students(hidden), queries.submissions(hidden), verdicts.costs(hidden, "async")):
        assert list(frame.student) == sorted(frame.student)


@pytest.mark.sample(2)
@pytest.mark.parametrize("view", VIEWS)
def test_no_view_names_anybody(view: str, course: Course, hidden: Engine, private: list[str]):
    for student in queries.submissions(hidden).student:
        shown = MAKERS[view](Source(course, hidden, "http://formgrader"), UrlState(assignment="async", student=student))
        shown.update()
        panes = [str(pane.object) for pane in shown.layout.select((pn.pane.HTML, pn.pane.Markdown))]
        tables = [reported(table.value) for table in shown.layout.select(pn.widgets.Tabulator)]
        text = "\n".join([*panes, *tables])
        assert [word for word in private if word in text] == []
        assert "formgrader" not in text
        if view in ("students", "cost"):
            assert student in text
        else:
            break  # they show nobody who is chosen


def test_the_points_are_those_of_the_students(gradebook: Gradebook, hidden: Engine):
    theirs = {people(hidden).shown_as(s.student_id): s.score for s in gradebook.assignment_submissions("async")}
    assert queries.submissions(hidden).set_index("student").points.to_dict() == pytest.approx(theirs)


def test_a_search_finds_pseudonyms_and_no_ids_or_names(course: Course, gradebook: Gradebook, hidden: Engine):
    student = gradebook.students[0]
    shown = people(hidden).shown_as(student.id)
    for wanted, rows in ((shown, 1), (student.id, 0), (student.first_name, 0), (student.last_name, 0)):
        view = StudentsView(Source(course, hidden, ""), UrlState(assignment="async", search=wanted))
        view.update()
        assert len(Seen(view).tables[0]) == rows, wanted


def test_an_address_with_an_id_shows_no_student(course: Course, gradebook: Gradebook, hidden: Engine):
    student = gradebook.assignment_submissions("async")[0].student.id
    assert len(queries.notebooks(hidden, people(hidden).shown_as(student))) == 1
    assert queries.notebooks(hidden, student).empty and queries.mark_changes(hidden, student).empty


def test_changes_of_marks_are_found_by_pseudonym(tmp_path: Path):
    course = Course(generate(tmp_path / "course", Size(5, exercises=1, tests=1)))
    with open_gradebook(course) as gradebook:
        hidden = anonymous(gradebook.engine, read_key(course))
        submission = gradebook.assignment_submissions("async")[0]
        grade = submission.notebooks[0].grades[0]
        grade.manual_score = 0.5
        gradebook.db.commit()
        shown = people(hidden).shown_as(submission.student_id)
        (change,) = queries.mark_changes(hidden, shown).itertuples()
        assert (change.student, change.after) == (shown, 0.5)


def test_who_wrote_alike_is_not_linked_where_nobody_is_named(course: Course, gradebook: Gradebook, hidden: Engine):
    report = course.similarity / "async" / SIMILARITY_REPORT
    report.mkdir(parents=True, exist_ok=True)
    (report / "pairs.csv").write_text("ada,bob")
    assert Source(course, gradebook.engine, "").similarity("async") is not None
    assert Source(course, hidden, "").similarity("async") is None


def test_a_page_keeps_its_pictures_and_loses_every_name(gradebook: Gradebook, hidden: Engine):
    one = gradebook.students[0]
    name, shown = f"{one.first_name} {one.last_name}", people(hidden).shown_as(one.id)
    picture = f'<img src="data:image/png;base64,abc+{one.id}/xyz" alt="x">'
    page = f'<h1>{name}</h1><a href="/submitted/{one.id}/x">{one.email}</a>{picture}<p>x{one.id}x {one.id.upper()}</p>'
    found = people(hidden).page_without_names(page.encode(), one.id).decode()
    assert found == f'<h1>{shown}</h1><a href="/submitted/{shown}/x">{shown}</a>{picture}<p>x{one.id}x {shown}</p>'


def test_a_written_answer_is_marked_under_a_pseudonym(course_with_answer: Course):
    course = course_with_answer
    with open_gradebook(course) as gradebook:
        hidden = anonymous(gradebook.engine, read_key(course))
        shown = people(hidden).shown_as("ada")
        view = AnswersView(Source(course, hidden, ""), UrlState(assignment="async"))
        view.update()
        seen = Seen(view)
        (row,) = seen.tables[0].itertuples()
        assert row.student == shown and pd.isna(row.points)
        seen.click(student=shown)
        assert shown in seen.html and "Since it waits." in seen.html and "ada" not in seen.html
        assert seen.press("Save", met=[0], note="")
    with open_gradebook(course) as gradebook:
        assert gradebook.find_grade("why", "work", "async", "ada").manual_score == 2


@pytest.fixture
def empty(tmp_path: Path) -> Course:
    """A course folder without anything."""
    (tmp_path / "nbgrader_config.py").write_text("")
    return Course(tmp_path)


def test_the_key_is_its_owners_and_stays(empty: Course):
    key = read_key(empty)
    assert stat.S_IMODE(key_file(empty).stat().st_mode) == 0o600
    assert read_key(empty) == key and len(key) == 32
    assert [path.name for path in key_file(empty).parent.iterdir()] == [key_file(empty).name]


def test_processes_that_create_the_key_together_get_the_same_one(empty: Course):
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        assert len({key.result() for key in [pool.submit(read_key, empty) for _ in range(64)]}) == 1


def test_a_key_that_is_invalid_or_readable_by_others_is_refused(empty: Course):
    read_key(empty)
    key_file(empty).chmod(0o640)
    with pytest.raises(SyncpointError, match="others can read it: run `chmod 600"):
        read_key(empty)
    key_file(empty).chmod(0o600)
    key_file(empty).write_bytes(b"short")
    with pytest.raises(SyncpointError, match="is not a key"):
        read_key(empty)


def test_another_key_gives_another_pseudonym():
    known = {pseudonym(bytes([number]) * 32, "ada") for number in range(50)}
    assert len(known) == 50
    assert len({pseudonym(bytes(32), f"s{number}") for number in range(2000)}) == 2000
    assert pseudonym(bytes(32), "ada") == pseudonym(bytes(32), "ada")


@pytest.mark.exhaustive
@pytest.mark.slow
def test_the_command_tells_who_it_is(course: Course, gradebook: Gradebook, tmp_path: Path):
    one = gradebook.students[3]
    done = who(course.root, pseudonym(read_key(course), one.id))
    assert (done.returncode, done.stdout) == (0, f"{one.id}  {one.first_name} {one.last_name}\n"), done.stderr
    done = who(course.root, "bbbbb-bbbbb")
    assert done.returncode == 1 and "has the pseudonym 'bbbbb-bbbbb'" in done.stderr
    other = generate(tmp_path / "other", Size(0))
    done = who(other, "bbbbb-bbbbb")
    assert done.returncode == 1 and "run `syncpoint dashboard --anonymous` to create them" in done.stderr
    assert not (other / ".syncpoint").exists()


def who(root: Path, shown: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([BIN / "syncpoint", "who", shown], cwd=root, capture_output=True, text=True)


def test_whoever_comes_into_the_gradebook_later_is_known_at_once(hidden: Engine, gradebook: Gradebook):
    with gradebook.engine.begin() as connection:
        connection.execute(insert(Student).values(id="later", lms_user_id=None))
    assert people(hidden).student(people(hidden).shown_as("later")) == "later"
