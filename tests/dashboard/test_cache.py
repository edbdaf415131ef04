"""What the dashboard keeps in memory is always what the gradebook has, and it is read once for all pages."""

import random
import sqlite3
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import panel as pn
import pytest
from benchmarks.postgresql import Server
from generated_class import Size, generate
from nbgrader.api import Grade, Gradebook
from results import result_of
from seen import Seen
from sqlalchemy import create_engine, event, func, select

from syncpoint.core.results import ExerciseResult, NotebookResult, Versions
from syncpoint.course.folder import Course
from syncpoint.dashboard import queries, verdicts
from syncpoint.dashboard.cache import MAX_STUDENTS_REPLACED, Cache, replaced
from syncpoint.dashboard.page import MAKERS, Page
from syncpoint.dashboard.people import anonymous
from syncpoint.dashboard.source import Source, Submitted
from syncpoint.dashboard.tabulator import PAGE
from syncpoint.dashboard.url_state import UrlState
from syncpoint.dashboard.views.exercises import ExercisesView
from syncpoint.dashboard.views.students import StudentsView
from syncpoint.dashboard.views.view import View
from syncpoint.records.accommodations import excuse
from syncpoint.records.gradebook import open_gradebook
from syncpoint.records.save_verdicts import save_verdicts

ASSIGNMENTS = ("async", "hybridize")
QUERIES = (queries.submissions, queries.marks, verdicts.outcomes, verdicts.incidents, verdicts.acts, verdicts.costs)
MOST_QUERIES = 28  # of all views together


@pytest.fixture
def course(tmp_path: Path) -> Course:
    return Course(generate(tmp_path / "course", Size(60, ASSIGNMENTS, exercises=3, tests=3)))


def judged(chance: random.Random) -> NotebookResult:
    """A result of one exercise; like its graders, its tests are other ones than those of the generated class."""
    passed = [chance.random() < 0.5 for _ in range(3)]
    tests = tuple(result_of(f"test_{n}", f"title {n}", "", 1.0, good, "", "", 0.1, "") for n, good in enumerate(passed))
    return NotebookResult(Versions("mxnet 1.9.1", "new"), (ExerciseResult("test_benchmark", 4.0, tests),))


def grade(gradebook: Gradebook, student: str, assignment: str, chance: random.Random) -> None:
    save_verdicts(gradebook.db(), assignment, [(student, "work", judged(chance), None)])
    gradebook.find_grade("test_benchmark", "work", assignment, student).auto_score = chance.choice([0.0, 2.0, 4.0])
    gradebook.db.commit()


def mark(gradebook: Gradebook, student: str, assignment: str, chance: random.Random) -> None:
    found = gradebook.find_grade("time_model", "work", assignment, student)
    found.manual_score, found.needs_manual_grade = float(chance.randint(0, 4)), False
    gradebook.db.commit()


def read_again(gradebook: Gradebook, student: str, assignment: str, chance: random.Random) -> None:
    """Only that somebody must read it changes, as after *Keep the mark*: no log has this."""
    found = gradebook.find_grade("time_model", "work", assignment, student)
    found.needs_manual_grade = not found.needs_manual_grade
    gradebook.db.commit()


def excused(gradebook: Gradebook, student: str, assignment: str, chance: random.Random) -> None:
    excuse(gradebook.db(), student, assignment, "was ill")
    gradebook.db.commit()


def extended(gradebook: Gradebook, student: str, assignment: str, chance: random.Random) -> None:
    gradebook.grant_extension(assignment, student, days=chance.randint(1, 5))


def removed(gradebook: Gradebook, student: str, assignment: str, chance: random.Random) -> None:
    gradebook.remove_submission(assignment, student)


def late(gradebook: Gradebook, student: str, assignment: str, chance: random.Random) -> None:
    found = gradebook.find_submission_notebook("work", assignment, student)
    found.late_submission_penalty = float(chance.randint(0, 3))
    gradebook.db.commit()


def enrolled(gradebook: Gradebook, student: str, assignment: str, chance: random.Random) -> None:
    gradebook.update_or_create_student(f"new{chance.randint(0, 99)}")


CHANGES = [grade, grade, grade, mark, mark, read_again, excused, extended, late, removed, enrolled]


def listen(gradebook: Gradebook, asked: list[str]) -> None:
    """Add every statement of the gradebook's from now on."""
    event.listen(gradebook.engine, "before_cursor_execute", lambda *received: asked.append(received[2]))


def rows_of(frame: pd.DataFrame) -> list[str]:
    """The rows, in an order of their own, as people read them; a verdict's number differs between the databases."""
    shown = frame.drop(columns="verdict", errors="ignore")
    return sorted(str([round(v, 6) if isinstance(v, float) else v for v in row]) for row in shown.to_numpy().tolist())


def check_cache(cache: Cache, gradebook: Gradebook) -> None:
    for assignment in ASSIGNMENTS:
        for query in QUERIES:
            again = query(cache._engine, assignment, None)
            assert rows_of(cache.rows(query, assignment)) == rows_of(again), query.__name__


def change_and_check(course: Course, gradebook: Gradebook, rounds: int) -> None:
    """Change the gradebook in all ways, several changes between two looks: the cache has what would be read again."""
    chance = random.Random(7)
    cache = Cache(anonymous(gradebook.engine, b"key") if rounds % 2 else gradebook.engine)
    check_cache(cache, gradebook)
    for _ in range(rounds):
        for _ in range(chance.randint(1, 3)):
            assignment = chance.choice(ASSIGNMENTS)
            students = sorted(s.student_id for s in gradebook.assignment_submissions(assignment))
            chance.choice(CHANGES)(gradebook, chance.choice(students), assignment, chance)
        check_cache(cache, gradebook)


@pytest.mark.parametrize("rounds", [13, 14], ids=["pseudonyms", "names"])
def test_what_is_kept_is_what_would_be_read_again(course: Course, gradebook: Gradebook, rounds: int):
    change_and_check(course, gradebook, rounds)


def test_so_it_is_on_postgresql(server: Server, tmp_path: Path):
    course = Course(generate(tmp_path / "course", Size(30, ASSIGNMENTS, 3, 3), server.create("dashboard")))
    with open_gradebook(course) as gradebook:
        change_and_check(course, gradebook, 8)


def sent(view: View) -> list[str]:
    """Everything that a browser has of a view: texts, plots, and of each table the page in sight and its colors."""
    found = [Seen(view).html, str([sorted(plot.items()) for plot in Seen(view).plots])]
    for table in Seen(view).of(pn.widgets.Tabulator):
        model = next((model for model, _ in table._models.values()), None) or table.get_root()
        data = {name: [str(value) for value in values] for name, values in model.source.data.items()}
        found.append(f"{table.value.to_string()} {data} {model.cell_styles.get('data')} {model.max_page}")
    return found


def test_an_open_page_has_what_a_page_has_that_is_opened_now(course: Course, gradebook: Gradebook):
    """The tables are sorted and turned by then: a page is sent again only if it has changed."""
    chance = random.Random(11)
    source = Source(course, gradebook.engine, "")
    pages = {(view, number): Page(source) for view in MAKERS for number in (1, 2)}
    for (view, number), page in pages.items():
        page.url_state.open(view=view, assignment="async")
        sent(page._views[view])
        for table in Seen(page._views[view]).of(pn.widgets.Tabulator):
            table.page = min(number, table.param.page.bounds[1] or 1)
    for _ in range(6):
        for _ in range(chance.randint(1, 2)):
            students = sorted(s.student_id for s in gradebook.assignment_submissions("async"))
            chance.choice(CHANGES)(gradebook, chance.choice(students), "async", chance)
        source.cache.look()
        for (view, number), page in pages.items():
            page.refresh()
            new = Page(Source(course, gradebook.engine, ""))
            new.url_state.open(view=view, assignment="async")
            sent(new._views[view])
            for table in Seen(new._views[view]).of(pn.widgets.Tabulator):
                table.page = min(number, table.param.page.bounds[1] or 1)
            assert sent(page._views[view]) == sent(new._views[view]), view


def test_only_the_students_of_whom_something_changed_are_read_again(gradebook: Gradebook):
    asked = []

    def rows(engine, assignment, students):
        asked.append((assignment, students))
        return queries.marks(engine, assignment, students)

    cache, chance = Cache(gradebook.engine), random.Random(1)
    cache.rows(rows, "async")
    students = sorted(s.student_id for s in gradebook.assignment_submissions("async"))[:2]
    grade(gradebook, students[0], "async", chance)
    mark(gradebook, students[1], "async", chance)
    grade(gradebook, students[1], "hybridize", chance)
    cache.rows(rows, "async")
    cache.rows(rows, "async")
    assert asked == [("async", None), ("async", set(students))]


def test_replaced_rows_are_those_of_a_frame_with_plain_texts():
    """Texts that no row had before are added, and texts that no row has any more are dropped."""
    rows = pd.DataFrame({"student": list("abbd"), "tests": list("wxyz"), "points": [1.0, 2.0, 3.0, 4.0]})
    short = queries.repeated(rows, "student", "tests")
    for number in range(6):
        new = pd.DataFrame({"student": list("cb"), "tests": [f"new {number}", "x"], "points": [5.0, 6.0]})
        rows = replaced(rows, ["b", "c"], new)
        short = replaced(short, ["b", "c"], queries.repeated(new, "student", "tests"))
        assert rows.student.tolist() == list("abcd") and rows.tests[2] == f"new {number}"
        assert short.astype(rows.dtypes).equals(rows)
    assert len(short.tests.cat.categories) <= len(rows) + len(new)
    assert replaced(short, list("abcd"), queries.repeated(new[:0], "student", "tests")).empty


def test_nothing_is_asked_of_a_gradebook_in_which_nothing_was_written(gradebook: Gradebook):
    cache, asked = Cache(gradebook.engine), list[str]()
    cache.rows(queries.marks, "async")
    listen(gradebook, asked)
    cache.rows(queries.marks, "async")
    assert cache.look() == 0 and asked == []


def test_a_page_does_not_wait_for_a_transaction_that_locks_the_file(course: Course, gradebook: Gradebook):
    cache = Cache(gradebook.engine)
    before = cache.rows(queries.marks, "async")
    with sqlite3.connect(course.root / "gradebook.db") as writer:
        writer.execute("BEGIN EXCLUSIVE")
        writer.execute("UPDATE grade SET auto_score = 3.5")
        assert cache.look() == 0 and cache.rows(queries.marks, "async") is before
    assert cache.look() == 1 and set(cache.rows(queries.marks, "async").points) >= {3.5}


def test_many_changes_have_all_rows_read_again(gradebook: Gradebook):
    cache = Cache(gradebook.engine)
    cache.rows(queries.marks, "async")
    touched = {"async": {f"student{number}" for number in range(MAX_STUDENTS_REPLACED + 1)}}
    state = SimpleNamespace(everybody=cache._state.everybody, touched=lambda before: touched)
    cache._note(state)
    assert cache._rows == {}


def test_an_update_of_many_pages_asks_as_much_as_that_of_one(course: Course, gradebook: Gradebook):
    """Except for the history of a student, which each page asks for itself."""
    numbers = []
    for pages in (1, 8):
        source, asked = Source(course, gradebook.engine, ""), list[str]()
        shown = [Page(source) for _ in range(pages)]
        for page in shown:
            for view in MAKERS:
                page.url_state.view = view
        grade(gradebook, gradebook.assignment_submissions("async")[0].student_id, "async", random.Random(pages))
        listen(gradebook, asked)
        for page in shown:
            for view in MAKERS:
                page.url_state.view = view
        numbers.append(len(asked))
    assert numbers[0] == numbers[1] < 40


@pytest.mark.parametrize("view", MAKERS)
def test_a_view_asks_as_many_questions_for_a_small_class_as_for_a_large_one(view: str, tmp_path: Path):
    numbers = []
    for students in (5, 90):
        course = Course(generate(tmp_path / str(students) / "course", Size(students, ASSIGNMENTS, 2, 2)))
        with open_gradebook(course) as gradebook:
            asked: list[str] = []
            listen(gradebook, asked)
            MAKERS[view](Source(course, gradebook.engine, ""), UrlState(assignment="async")).update()
            numbers.append(len(asked))
    assert numbers[0] == numbers[1] < MOST_QUERIES


def test_a_click_on_a_bar_or_on_a_row_lists_who_failed_the_test(course: Course, gradebook: Gradebook):
    url_state = UrlState(assignment="async")
    source = Source(course, gradebook.engine, "")
    view = ExercisesView(source, url_state)
    view.update()
    row = view._failed._rows.iloc[0]
    view._failed._data.selected.indices = [0]  # as the browser says it
    assert (url_state.view, url_state.failed) == ("students", f"{row.cell}/{row.test}")
    students = StudentsView(source, url_state)
    students.update()
    table = Seen(students).tables[0]
    wanted = (
        select(verdicts.NotebookRecord.student)
        .join(verdicts.VerdictRecord, verdicts.VerdictRecord.notebook_id == verdicts.NotebookRecord.id)
        .join(verdicts.OutcomeRecord, verdicts.OutcomeRecord.verdict_id == verdicts.VerdictRecord.id)
        .where(verdicts.NotebookRecord.assignment == "async", verdicts.VerdictRecord.exercise == row.cell)
        .where(verdicts.OutcomeRecord.name == row.test, ~verdicts.OutcomeRecord.passed)
    )
    failed = set(gradebook.db.scalars(wanted))
    assert set(table.student) == failed and len(table) == row.failed > 0
    assert f"Students who failed <code>{row.test}</code>" in Seen(students).html
    (everybody,) = [button for button in Seen(students).of(pn.widgets.Button) if button.label == "Show everybody"]
    everybody.clicks += 1
    assert len(Seen(students).tables[0]) == 60 and "Students who failed" not in Seen(students).html
    url_state.open(view="exercises")
    (tests,) = [table for table in Seen(view).of(pn.widgets.Tabulator) if "title" in table.value]
    view._tests._clicked(3)
    assert url_state.failed == "/".join(view._tests._rows.iloc[3][["cell", "test"]]) and len(tests.value) > 3


def test_a_page_of_a_long_table_has_its_rows_and_no_others(course: Course, gradebook: Gradebook):
    view = StudentsView(Source(course, gradebook.engine, ""), UrlState(assignment="async"))
    view.update()
    (table,) = Seen(view).of(pn.widgets.Tabulator)
    for page in (1, 2, 3):
        table.page = page
        sent = list(table._get_data()[1]["student"])
        assert sent == list(table.value.student)[PAGE * (page - 1) : PAGE * page] and len(sent) <= PAGE


def test_folders_of_submissions_are_listed_again_where_something_was_added_or_removed(tmp_path: Path):
    submitted = Submitted(tmp_path / "submitted")
    assert submitted.look() == 0 and submitted.by("async") == set()
    for student, assignment in (("ada", "async"), ("ben", "async"), ("ada", "steps")):
        (tmp_path / "submitted" / student / assignment).mkdir(parents=True)
    (tmp_path / "submitted" / ".hidden").mkdir()
    first = submitted.look()
    assert submitted.by("async") == {"ada", "ben"} and submitted.by("steps") == {"ada"}
    (tmp_path / "submitted" / "ben" / "async").rmdir()
    assert submitted.look() > first and submitted.by("async") == {"ada"}
    assert submitted.look() == submitted.look()


def test_of_many_folders_each_is_checked_in_turn_and_a_new_student_at_once(tmp_path: Path, monkeypatch):
    monkeypatch.setattr("syncpoint.dashboard.source.PART", 2)
    for number in range(7):
        (tmp_path / "submitted" / f"s{number}").mkdir(parents=True)
    submitted = Submitted(tmp_path / "submitted")
    submitted.look()
    for number in range(7):
        (tmp_path / "submitted" / f"s{number}" / "async").mkdir()
    (tmp_path / "submitted" / "new" / "async").mkdir(parents=True)
    found = []
    for _ in range(5):
        submitted.look()
        found.append(set(submitted.by("async")))
    assert "new" in found[0] and len(found[0]) <= 4
    assert found[-1] == {*(f"s{number}" for number in range(7)), "new"}


def test_the_answers_that_wait_are_counted_by_assignment(gradebook: Gradebook):
    counted = {name: waiting for name, (_, _, waiting, _) in queries.state(gradebook.engine).counts.items()}
    whole = gradebook.db.scalar(select(func.count()).select_from(Grade).where(Grade.needs_manual_grade))
    assert sum(counted.values()) == whole > 0


def test_an_engine_of_an_unknown_kind_is_read_at_every_look():
    engine = create_engine("sqlite://")
    engine.dialect.name = "other"
    from syncpoint.dashboard.cache import _stamp_of

    assert _stamp_of(engine)() is None
