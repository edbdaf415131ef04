"""The dashboard's numbers are right for a class of any size, on both databases."""

import itertools
import random
import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import nbformat
import pandas as pd
import panel as pn
import pytest
from benchmarks.postgresql import Server
from bokeh.document import Document
from classroom import nbgrader_cell
from generated_class import Size, generate
from nbformat.v4 import new_markdown_cell, new_notebook
from nbgrader.api import Assignment, BaseCell, Grade, Gradebook, Student, SubmittedAssignment, SubmittedNotebook
from results import result_of
from seen import Seen
from sqlalchemy import Engine, Executable, create_engine, event, insert, text, update

from syncpoint.core.messages import words
from syncpoint.core.results import ExerciseResult, Incident, NotebookResult, SuspiciousAct, TestResult, Versions
from syncpoint.course.folder import Course
from syncpoint.dashboard import queries, verdicts
from syncpoint.dashboard.cache import Cache
from syncpoint.dashboard.item_analysis import analyse
from syncpoint.dashboard.refresh import Refresh
from syncpoint.dashboard.serve import without_compiler
from syncpoint.dashboard.source import Source
from syncpoint.dashboard.tabulator import BLUE, GREEN, PAGE, RED, SHARE, Column, Table, as_csv, shaded, without_unread
from syncpoint.dashboard.url_state import UrlState
from syncpoint.dashboard.views.classroom import ClassView
from syncpoint.dashboard.views.exercises import ExercisesView
from syncpoint.dashboard.views.health import HealthView
from syncpoint.dashboard.views.students import POINTS, StudentsView
from syncpoint.records.accommodations import excuse
from syncpoint.records.database import one_transaction
from syncpoint.records.gradebook import open_gradebook
from syncpoint.records.save_verdicts import save_verdicts
from syncpoint.records.tables import VivaQuestion, utc_now
from syncpoint.records.viva import predict

UNREAD = {"auto_score": None, "manual_score": None, "needs_manual_grade": True}


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course of 40 students and two assignments.  Read only."""
    return generate(tmp_path_factory.mktemp("generated") / "course", Size(40, ("async", "hybridize")))


@pytest.fixture
def gradebook(empty_class: Path):
    """A gradebook whose class is written by the test."""
    with open_gradebook(Course(empty_class)) as gradebook:
        yield gradebook


@pytest.fixture
def empty_class(tmp_path: Path) -> Path:
    """A course without submissions."""
    return generate(tmp_path / "course", Size(0))


@pytest.fixture(scope="module")
def engine(generated: Path):
    with open_gradebook(Course(generated)) as gradebook:
        yield gradebook.engine


def judged(*outcomes: TestResult) -> NotebookResult:
    return NotebookResult(Versions("mxnet 1.9.1", "0"), (ExerciseResult("test_benchmark", 4.0, outcomes),))


def outcome(name: str, passed: bool, weight: float = 1.0, misconception: str = "", **marks: bool) -> TestResult:
    return result_of(name, f"title of {name}", "", weight, passed, "", "", 0.1, misconception, **marks)


def table_of_tests(engine: Engine) -> pd.DataFrame:
    return verdicts.tests(engine, verdicts.outcomes(engine, "async"))


def misconceptions_of(engine: Engine) -> pd.DataFrame:
    return verdicts.misconceptions(verdicts.outcomes(engine, "async"))


def hand_in(gradebook: Gradebook, student: str, notebook_result: NotebookResult) -> None:
    """A graded submission of one notebook."""
    gradebook.update_or_create_student(student)
    gradebook.add_submission("async", student)
    save_verdicts(gradebook.db(), "async", [(student, "work", notebook_result, None)])
    gradebook.db.commit()


def test_the_points_of_a_submission_are_those_of_nbgrader(generated: Path, engine: Engine):
    with open_gradebook(Course(generated)) as gradebook:
        theirs = {s.student_id: s.score for s in gradebook.assignment_submissions("async")}
    ours = queries.submissions(engine).query("assignment == 'async'").set_index("student").points.to_dict()
    assert ours == pytest.approx(theirs)


def test_who_is_late_is_late_for_nbgrader_too(generated: Path, engine: Engine):
    with open_gradebook(Course(generated)) as gradebook:
        theirs = {s.student_id for s in gradebook.assignment_submissions("async") if s.total_seconds_late}
    assert theirs
    assert set(queries.submissions(engine).query("assignment == 'async' and late").student) == theirs


def test_an_extension_is_not_late(generated: Path, tmp_path: Path):
    root = generate(tmp_path / "course", Size(10))
    with open_gradebook(Course(root)) as gradebook:
        for submission in gradebook.assignment_submissions("async"):
            gradebook.grant_extension("async", submission.student_id, days=3)
        assert not queries.submissions(gradebook.engine).late.any()


def test_what_is_excused_is_nowhere_late_and_not_in_the_mean(tmp_path: Path):
    course = Course(generate(tmp_path / "course", Size(10)))
    with open_gradebook(course) as gradebook:
        before = queries.submissions(gradebook.engine)
        late = list(before.student[before.late])
        for student in late:
            excuse(gradebook.db(), student, "async", "was ill")
        gradebook.db.commit()
        source = Source(course, gradebook.engine, "")
        view = ClassView(source, UrlState(assignment="async"))
        view.update()
        (row,) = Seen(view).tables[0].itertuples()
        others = before[~before.late]
        assert late and (row.graded, row.late) == (len(before), 0)
        assert (row.mean, row.share) == pytest.approx((others.points[others.unread == 0].mean(), others.share.mean()))
        assert sum(Seen(view).plots[0]["count"]) == len(others)
        students = StudentsView(source, UrlState(assignment="async", student=late[0]))
        students.update()
        assert ["excused"] in [list(table.notes) for table in Seen(students).tables if "notes" in table]


def test_excused_students_are_in_no_count_of_the_exercises(gradebook: Gradebook, empty_class: Path):
    failed, right = judged(outcome("test_a", False, misconception="x")), judged(outcome("test_a", True))
    for student, result, points in (("ada", right, 4.0), ("bob", failed, 0.0), ("eve", right, 4.0)):
        hand_in(gradebook, student, result)
        grade = gradebook.find_grade("test_benchmark", "work", "async", student)
        grade.auto_score, grade.needs_manual_grade = points, False
    excuse(gradebook.db(), "bob", "async", "was ill")
    gradebook.db.commit()
    view = ExercisesView(Source(Course(empty_class), gradebook.engine, ""), UrlState(assignment="async"))
    view.update()
    items, tests = Seen(view).tables
    item = items.set_index("exercise").loc["benchmark"]
    assert (item.students, item["mean"], item.difficulty, item.full, item.none) == (2, 4.0, 1.0, 1.0, 0.0)
    assert tests[["tried", "failed"]].to_numpy().tolist() == [[2, 0]]
    costs = verdicts.costs(gradebook.engine, "async")
    assert misconceptions_of(gradebook.engine).empty and verdicts.counted(costs, {"bob"}) == 2


def test_an_error_in_a_view_is_shown_on_the_page_with_nothing_old_below_it(
    gradebook: Gradebook, empty_class: Path, monkeypatch: pytest.MonkeyPatch
):
    from syncpoint.dashboard.page import Page

    hand_in(gradebook, "ada", judged())
    page = Page(Source(Course(empty_class), gradebook.engine, ""))
    usual = Seen(page).tables
    assert usual
    monkeypatch.setattr(ClassView, "update", lambda view: 1 / 0)
    page.update()
    assert "ZeroDivisionError" in Seen(page).html and not Seen(page).tables
    monkeypatch.undo()
    page.update()
    assert "ZeroDivisionError" not in Seen(page).html and len(Seen(page).tables) == len(usual)


def test_points_lost_are_what_the_verdicts_lack(gradebook: Gradebook):
    tests = (outcome("test_a", True, 1), outcome("test_b", False, 3))
    hand_in(gradebook, "ada", judged(*tests))
    hand_in(gradebook, "bob", judged(*tests))
    found = table_of_tests(gradebook.engine).set_index("test")
    assert found.lost.to_dict() == {"test_a": 0.0, "test_b": 6.0}
    assert (found.failed.to_dict(), set(found.tried)) == ({"test_a": 0, "test_b": 2}, {2})


def test_the_points_lost_are_shared_out_by_the_rule_of_the_score(gradebook: Gradebook):
    """The dashboard has the rule in SQL, `syncpoint.core.results.shares` in Python."""
    rng = random.Random(16)
    exercises = tuple(
        ExerciseResult(
            f"test_{number}",
            rng.choice([1.0, 4.0, 7.5]),
            tuple(
                outcome(
                    f"test_{name}",
                    rng.random() < 0.8,
                    rng.choice([0.5, 1, 9]),
                    core=rng.random() < 0.3,
                    value=rng.random() < 0.3,
                )
                for name in "abcdef"[: rng.randint(1, 6)]
            ),
        )
        for number in range(60)
    )
    hand_in(gradebook, "ada", NotebookResult(Versions("mxnet 1.9.1", "0"), exercises))
    found = table_of_tests(gradebook.engine).groupby("exercise").lost.sum()
    lacking = {exercise.name: exercise.max_points - exercise.points for exercise in exercises}
    assert found.to_dict() == pytest.approx(lacking, abs=1e-3)
    assert 0 < sum(points == 0 for points in lacking.values()) < len(lacking)


@pytest.mark.parametrize("passed", list(itertools.product([True, False], repeat=4)))
def test_so_they_are_where_half_is_for_the_core_tests(gradebook: Gradebook, passed):
    kinds = [("test_a", 1, True), ("test_b", 2, True), ("test_c", 3, False), ("test_d", 4, False)]
    tests = [outcome(name, good, weight, core=core) for (name, weight, core), good in zip(kinds, passed, strict=True)]
    hand_in(gradebook, "ada", judged(*tests))
    found = table_of_tests(gradebook.engine).set_index("test")
    assert found.lost.sum() == pytest.approx(4 - judged(*tests).exercises[0].points, abs=1e-3)
    assert set(found.index[found.lost > 0]) == {test.name for test in tests if not test.passed}


def test_an_exercise_without_any_test_loses_all_points(gradebook: Gradebook):
    hand_in(gradebook, "ada", judged())
    (row,) = table_of_tests(gradebook.engine).itertuples()
    assert (row.title, row.lost) == ("(no test could run)", 4.0)


def test_a_student_counts_once_for_each_misconception(gradebook: Gradebook):
    twice = (outcome("test_a", False, misconception="x"), outcome("test_b", False, misconception="x"))
    hand_in(gradebook, "ada", judged(*twice))
    hand_in(gradebook, "bob", judged(outcome("test_a", True, misconception="x")))
    found = misconceptions_of(gradebook.engine)
    assert found.to_dict("records") == [{"slug": "x", "exercises": "test_benchmark", "students": 1}]


def test_the_most_frequent_misconception_comes_first(engine: Engine):
    counts = misconceptions_of(engine).students
    assert len(counts) == 3
    assert counts.is_monotonic_decreasing


def test_verdicts_of_a_removed_submission_are_not_read(gradebook: Gradebook):
    happened = (Incident("died", words("s")),), (SuspiciousAct("f", words("s")),)
    hand_in(gradebook, "ada", NotebookResult(Versions("", ""), (), *happened))
    gradebook.remove_submission("async", "ada")
    empty = [verdicts.incidents, verdicts.acts, verdicts.costs, verdicts.outcomes]
    assert [len(question(gradebook.engine, "async")) for question in empty] == [0] * len(empty)


def test_each_grading_changes_the_version(gradebook: Gradebook):
    cache = Cache(gradebook.engine)
    seen = [cache.look()]
    hand_in(gradebook, "ada", judged())
    seen.append(cache.look())
    save_verdicts(gradebook.db(), "async", [("ada", "work", judged(), None)])
    gradebook.db.commit()
    seen.append(cache.look())
    assert seen == [0, 1, 2]
    assert cache.look() == seen[-1]


@pytest.mark.parametrize(
    "change",
    [
        update(Grade).values(manual_score=0.5),
        update(Student).values(last_name="Byron"),
        update(Assignment).values(duedate=datetime(2027, 1, 1)),
        update(SubmittedAssignment).values(extension=timedelta(days=2)),
        update(SubmittedNotebook).values(late_submission_penalty=1.0),
        insert(Assignment).values(id="new", name="new", course_id="syncpoint"),
    ],
    ids=["mark by hand", "name", "due date", "extension", "penalty", "assignment"],
)
def test_what_people_change_changes_the_version(change: Executable, tmp_path: Path):
    with open_gradebook(Course(generate(tmp_path / "course", Size(3)))) as gradebook:
        cache = Cache(gradebook.engine)
        before = cache.look()
        with gradebook.engine.begin() as connection:
            connection.execute(change)
        assert cache.look() != before


def test_a_submitted_folder_changes_the_version(gradebook: Gradebook, empty_class: Path):
    source = Source(Course(empty_class), gradebook.engine, "")
    before = source.version()
    (empty_class / "submitted" / "ada" / "async").mkdir(parents=True)
    assert source.version() != before


def test_pages_are_brought_up_to_date_when_something_is_new_and_one_look_is_for_all_of_them(
    gradebook: Gradebook, empty_class: Path
):
    statements: list[str] = []
    refresh, pages = Refresh(Source(Course(empty_class), gradebook.engine, "")), [Document() for _ in range(3)]
    event.listen(gradebook.engine, "before_cursor_execute", lambda *received: statements.append(received[2]))
    refresh.look()
    assert statements == []  # nobody has a page open
    for page in pages:
        refresh.add(page, lambda: None)
    refresh.look()
    once = len(statements)
    assert [len(page.session_callbacks) for page in pages] == [0, 0, 0]
    (empty_class / "submitted" / "ada" / "async").mkdir(parents=True)
    for destroyed in pages[0].session_destroyed_callbacks:
        destroyed(None)
    refresh.look()
    refresh.look()
    assert [len(page.session_callbacks) for page in pages] == [0, 1, 1]
    assert len(statements) == 3 * once


def test_a_submission_is_graded_when_all_of_its_notebooks_are(gradebook: Gradebook):
    gradebook.add_notebook("more", "async")
    hand_in(gradebook, "ada", judged())
    assert queries.submissions(gradebook.engine).graded_at.isna().all()
    save_verdicts(gradebook.db(), "async", [("ada", "more", judged(), None)])
    gradebook.db.commit()
    assert queries.submissions(gradebook.engine).graded_at.notna().all()


@pytest.mark.parametrize(
    ("kind", "tile"),
    [
        ("killed", "crashes"),
        ("hang", "time-outs"),
        ("cpu", "limits hit"),
        ("memory", "limits hit"),
        ("output", "limits hit"),
    ],
)
def test_what_ended_student_code_is_counted(kind: str, tile: str, gradebook: Gradebook, empty_class: Path):
    hand_in(gradebook, "ada", NotebookResult(Versions("", ""), (), (Incident(kind, words("s")),)))
    view = HealthView(Source(Course(empty_class), gradebook.engine, ""), UrlState(assignment="async"))
    view.update()
    shown = {pane.object for pane in view.layout.select(pn.pane.HTML)}
    assert any(re.search(rf">1</div><div[^>]*>{tile}<", text) for text in shown)


@pytest.fixture
def half_read(tmp_path: Path) -> Iterator[Gradebook]:
    """Everybody has all points in the two exercises; nobody has read an answer, except the first one's: 1 of 4."""
    with open_gradebook(Course(generate(tmp_path / "half" / "course", Size(12, exercises=2, tests=1)))) as gradebook:
        gradebook.db.execute(update(Grade).where(Grade.auto_score.isnot(None)).values(auto_score=4.0))
        gradebook.db.execute(update(Grade).where(Grade.auto_score.is_(None)).values(UNREAD))
        student = min(submission.student_id for submission in gradebook.assignment_submissions("async"))
        first = gradebook.find_grade("time_model", "work", "async", student)
        first.manual_score, first.needs_manual_grade = 1.0, False
        gradebook.db.commit()
        yield gradebook


def source_of(gradebook: Gradebook, tmp_path: Path) -> Source:
    return Source(Course(tmp_path / "half" / "course"), gradebook.engine, "")


def test_a_share_is_of_the_points_of_what_is_read(half_read: Gradebook):
    found = queries.submissions(half_read.engine)
    assert found.share.tolist() == pytest.approx([9 / 12] + [1.0] * (len(found) - 1))
    assert found.points.tolist() == [9.0] + [8.0] * (len(found) - 1)


def test_where_nothing_is_read_there_is_no_share(half_read: Gradebook):
    half_read.db.execute(update(Grade).values(UNREAD))
    half_read.db.commit()
    assert queries.submissions(half_read.engine).share.isna().all()


def test_the_class_counts_no_unread_answer_as_lost(half_read: Gradebook, tmp_path: Path):
    view = ClassView(source_of(half_read, tmp_path), UrlState(assignment="async"))
    view.update()
    (row,) = Seen(view).tables[0].itertuples()
    students = len(queries.submissions(half_read.engine))
    assert (row.mean, row.median, row.unread) == (9.0, 9.0, students - 1)
    assert row.share == pytest.approx((9 / 12 + students - 1) / students)
    assert Seen(view).plots[0]["count"][-1] == students - 1


@pytest.mark.parametrize("cell", ["time_model", "late", "share", "total", "notes"])  # also a name of another column
def test_the_students_have_no_number_for_an_unread_answer(cell: str, half_read: Gradebook, tmp_path: Path):
    half_read.db.execute(update(BaseCell).where(BaseCell.name == "time_model").values(name=cell))
    half_read.db.commit()
    view = StudentsView(source_of(half_read, tmp_path), UrlState(assignment="async"))
    view.update()
    (table,) = Seen(view).of(pn.widgets.Tabulator)
    submitted = table.value[table.value.total.notna()]
    assert submitted[POINTS + cell].iloc[0] == 1.0 and submitted[POINTS + cell].iloc[1:].isna().all()
    assert submitted.notes.str.contains("1 to read").tolist() == [False] + [True] * (len(submitted) - 1)
    column, styles = list(table.value.columns).index(POINTS + cell) + 1, table._get_style_data()["data"]
    painted = [styles.get(row, {}).get(column, []) for row in submitted.index]
    assert [any(BLUE in one for one in css) for css in painted] == [False] + [True] * (len(submitted) - 1)
    view.url_state.only = "weak"
    assert Seen(view).tables[0].empty


def test_a_table_styles_the_page_in_sight_and_each_page_that_is_turned_to():
    column = Column("share", "share", SHARE)
    table = Table("t", "T", [column], paint=shaded)
    table.show(pd.DataFrame({"share": [1.0] * PAGE + [0.0] * 3}))
    (widget,) = (one for one in table.layout if isinstance(one, pn.widgets.Tabulator))
    model = widget.get_root()
    painted = []
    for widget.page in (1, 2, 1):
        painted.append({css for row in model.cell_styles["data"].values() for cell in row.values() for css in cell})
    assert painted == [{f"background-color:{color}"} for color in (GREEN, RED, GREEN)]


def test_right_first_predictions_are_a_number_beside_the_points(half_read: Gradebook, tmp_path: Path):
    source = source_of(half_read, tmp_path)
    view = StudentsView(source, UrlState(assignment="async"))
    view.update()
    assert "explained" not in Seen(view).tables[0]
    ada, ben, *_ = students = sorted(queries.submissions(half_read.engine).student)
    texts = dict.fromkeys(("exercise", "language", "question", "answer"), "x")
    with one_transaction(half_read) as session:
        session.add_all(
            VivaQuestion(student=s, assignment="async", number=n, kind="order", worth=0, asked_at=utc_now(), **texts)
            for s in (ada, ben)
            for n in (1, 2, 3)
        )
    before = source.cache.look()
    for number, choice in enumerate(("order", "breaks", "order"), 1):
        predict(half_read, ada, "async", number, choice, f"reason {number}")
    assert source.cache.look() != before
    view.url_state.student = ada
    view.update()
    (shown,) = [table for table in Seen(view).tables if "explained" in table]
    assert shown.set_index("student").explained[students[:3]].tolist() == ["2 of 3", "0 of 3, 3 open", ""]
    assert "2 of 3" in as_csv(shown)
    (mine,) = [table for table in Seen(view).tables if "measured" in table]
    assert mine[["prediction", "measured", "why"]].to_numpy().tolist()[1] == ["breaks", "order", "reason 2"]


def test_a_question_about_a_written_answer_is_shown_with_the_answer(half_read: Gradebook, tmp_path: Path):
    source = source_of(half_read, tmp_path)
    (student, *_) = sorted(queries.submissions(half_read.engine).student)
    folder = source.course.root / "autograded" / student / "async"
    folder.mkdir(parents=True)
    cell = nbgrader_cell(new_markdown_cell, "Since it waits.\x1b[2J", "why", points=2)
    nbformat.write(new_notebook(cells=[cell]), folder / "work.ipynb")
    code, report, assertions = source.evidence(student, "async", "why")
    assert (code, report, assertions) == ("Since it waits.\N{SYMBOL FOR ESCAPE}[2J", "", "")
    assert source.evidence("nobody", "async", "why") == ("", "", "")


def test_an_exercise_of_which_nothing_is_read_has_no_bar_of_nothing(half_read: Gradebook, tmp_path: Path):
    half_read.db.execute(update(Grade).where(Grade.auto_score.is_(None)).values(UNREAD))
    half_read.db.commit()
    view = ExercisesView(source_of(half_read, tmp_path), UrlState(assignment="async"))
    view.update()
    items = Seen(view).tables[0].set_index("exercise")
    assert pd.isna(items.difficulty.time_model) and pd.isna(items.none.time_model)
    (names,) = (plot["name"] for plot in Seen(view).plots if "name" in plot)
    assert "time_model (nothing graded or read yet)" in names and {"benchmark", "queue_work"} < set(names)


def test_an_answer_that_is_to_be_read_has_no_points_yet():
    points = without_unread(pd.Series([0.0, 0.0, 2.0]), pd.Series([True, False, True]))
    assert pd.isna(points[0]) and points[1:].tolist() == [0.0, 2.0]


def test_a_student_without_a_submission_has_a_history_that_says_so(gradebook: Gradebook, empty_class: Path):
    gradebook.update_or_create_student("zoe")
    address = UrlState(assignment="async")
    view = StudentsView(Source(Course(empty_class), gradebook.engine, ""), address)
    view.update()
    tables = list(view.layout.select(pn.widgets.Tabulator))
    assert len(tables) == 1  # a page describes no table of a history before somebody asks for one
    for student in ("zoe", "", "zoe"):
        address.student = student
        view.update()
        (output,) = [pane for pane in view.layout.select(pn.pane.HTML) if "Nothing submitted" in pane.object]
        (history,) = [part for part in view.layout if output in list(part.select(pn.pane.HTML))]
        assert history.visible == bool(student)


@pytest.mark.slow
def test_postgresql_gives_the_same_answers(server: Server, engine: Engine, tmp_path: Path):
    url = server.create("dashboard")
    generate(tmp_path / "course", Size(40, ("async", "hybridize")), url)
    other = create_engine(url)
    for question in (
        queries.exercises,
        queries.marks,
        verdicts.incidents,
        verdicts.acts,
    ):
        assert reported(question(other, "async")) == reported(question(engine, "async")), question.__name__
    for question in (table_of_tests, misconceptions_of, queries.submissions):
        assert reported(question(other)) == reported(question(engine)), question.__name__
    assert queries.state(other) == queries.state(engine)
    other.dispose()


@pytest.mark.slow
def test_postgresql_compiles_no_statement_for_the_dashboard(server: Server):
    engine = create_engine(server.url("postgres"))
    with engine.connect() as connection:
        assert connection.scalar(text("SHOW jit")) == "on"
    without_compiler(engine)
    for _ in range(2):  # a connection of the pool is used again
        with engine.connect() as connection:
            assert connection.scalar(text("SHOW jit")) == "off"
    engine.dispose()


def reported(frame: pd.DataFrame) -> list[str]:
    """Its rows, in an order of their own, with numbers as people read them."""
    return sorted(str([round(v, 6) if isinstance(v, float) else v for v in row]) for row in frame.to_numpy().tolist())


def marks(**points: list[float]) -> pd.DataFrame:
    rows = [(f"s{i}", exercise, p, False) for exercise, all_points in points.items() for i, p in enumerate(all_points)]
    return pd.DataFrame(rows, columns=["student", "exercise", "points", "unread"])


def analysed(**points: list[float]) -> pd.DataFrame:
    exercises = pd.DataFrame({"exercise": list(points), "max_points": [4.0] * len(points)})
    return analyse(marks(**points), exercises).set_index("exercise")


def test_difficulty_is_the_mean_share_of_the_points():
    assert analysed(x=[4, 2, 0, 0], y=[0, 1, 2, 4]).difficulty.x == pytest.approx(6 / 16)


def test_an_exercise_that_the_strong_solve_discriminates():
    found = analysed(good=[4, 4, 0, 0], odd=[0, 0, 4, 4], rest=[4, 3, 1, 0], more=[4, 4, 1, 0]).discrimination
    assert found.good > 0.2 > 0 > found.odd


def test_discrimination_leaves_the_exercise_itself_out():
    assert analysed(x=[4, 0, 4, 0], y=[4, 4, 0, 0]).discrimination.x == pytest.approx(0)


def test_an_exercise_in_which_all_got_the_same_has_no_discrimination():
    assert pd.isna(analysed(x=[4, 4, 4], y=[1, 2, 3]).discrimination.x)


def test_answers_that_nobody_has_read_are_no_part_of_the_analysis():
    found = marks(x=[4, 0, 4, 0], essay=[0, 0, 0, 4])
    found.unread = (found.exercise == "essay") & (found.points == 0)
    exercises = pd.DataFrame({"exercise": ["x", "essay"], "max_points": [4.0, 4.0]})
    essay = analyse(found, exercises).set_index("exercise").loc["essay"]
    assert (essay.students, essay.difficulty) == (1, 1.0)


def test_an_answer_that_is_not_read_makes_nobody_weaker_in_the_rest():
    found = marks(x=[4, 4, 2, 0], y=[4, 3, 2, 1], essay=[4, 4, 2, 0])
    exercises = pd.DataFrame({"exercise": ["x", "y", "essay"], "max_points": [4.0] * 3})
    whole = analyse(found, exercises).set_index("exercise").discrimination.x
    found.unread = (found.exercise == "essay") & found.student.isin(["s0", "s1"])
    found.loc[found.unread, "points"] = 0.0
    assert analyse(found, exercises).set_index("exercise").discrimination.x == pytest.approx(whole, abs=0.05)


def test_a_class_without_submissions_has_an_empty_analysis():
    found = analyse(marks(), pd.DataFrame({"exercise": ["x"], "max_points": [4.0]}))
    assert found.students.tolist() == [0]


def test_an_address_leads_back_to_its_place():
    url_state = UrlState(view="students", assignment="async", student="a&b=c", search="ö", only="late")
    other = UrlState()
    other.go(url_state.query())
    assert other.param.values() | {"name": ""} == url_state.param.values() | {"name": ""}


def test_an_address_that_names_no_view_shows_the_first():
    url_state = UrlState(view="students")
    url_state.go("?view=nonsense&only=everything&search=ada")
    assert (url_state.view, url_state.only, url_state.search) == ("students", "all", "ada")


def test_an_address_keeps_the_theme():
    assert UrlState(search="ada").query("?theme=dark&search=bob") == "?theme=dark&search=ada"


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", '=HYPERLINK("http://x")'])
def test_no_text_of_a_download_is_a_formula(text: str):
    lines = as_csv(pd.DataFrame({text: [text], "number": [-1.5]})).splitlines()
    assert as_csv(pd.DataFrame({"a": [text]})).split("\n", 1)[1].lstrip('"').startswith("'")
    assert lines[0].lstrip('"').startswith("'")


def test_numbers_of_a_download_stay_numbers():
    assert as_csv(pd.DataFrame({"number": [-1.5]})) == "number\n-1.5\n"
