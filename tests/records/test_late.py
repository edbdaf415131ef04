"""Late penalties: nbgrader's own, by the share that the course sets, and the same at every grading."""

import pytest
from classroom import SmallCourse

from syncpoint.nbgrader_hooks.late_rule import SharePerPeriod
from syncpoint.records.grades import ExportSelection, read_grades

DAY = 24 * 3600.0
LATE = """
c.AssignLatePenalties.plugin_class = "syncpoint.nbgrader_hooks.late_rule.SharePerPeriod"
c.SharePerPeriod.share = 0.25
"""


@pytest.mark.parametrize(
    ("seconds", "penalty"), [(0, 0), (1, 0.8), (DAY, 0.8), (DAY + 1, 1.6), (9.5 * DAY, 8), (400 * DAY, 8)]
)
def test_each_day_that_was_begun_costs_a_share_and_never_more_than_there_is(seconds: float, penalty: float):
    assert SharePerPeriod().late_submission_penalty("ada", 8.0, seconds) == pytest.approx(penalty)


def test_a_period_may_be_an_hour():
    assert SharePerPeriod(share=0.05, hours=1).late_submission_penalty("ada", 10.0, 2 * 3600 + 1) == pytest.approx(1.5)


def penalties(course: SmallCourse) -> dict[str, tuple[float, float]]:
    """Student -> score, penalty."""
    with course.gradebook() as gradebook:
        submissions = gradebook.assignment_submissions("async")
        return {s.student.id: (s.score, s.late_submission_penalty) for s in submissions}


@pytest.mark.exhaustive
def test_late_work_pays_once_however_often_it_is_graded(course: SmallCourse):
    course.configure(LATE)
    course.nbgrader("db", "assignment", "add", "async", "--duedate=2030-03-01 12:00:00 UTC")
    for student, time in {"ada": "2030-03-01 11:59:59 UTC", "bob": "2030-03-02 13:00:00 UTC"}.items():
        course.submit(student, course.solved())
        (course.folder(student) / "timestamp.txt").write_text(time)
    for again in ((), ("--force",)):
        course.must_run("nbgrader", "autograde", "async", *again)
        assert penalties(course) == {"ada": (6, 0), "bob": (6, 3)}


def submit_late(course: SmallCourse, when: str) -> None:
    """Of ada, due on the first; bob has not submitted.  A day costs a quarter."""
    course.configure(LATE)
    course.nbgrader("db", "assignment", "add", "async", "--duedate=2030-03-01 12:00:00 UTC")
    with course.gradebook() as gradebook:
        for student in ("ada", "bob"):
            gradebook.update_or_create_student(student)
        submission = gradebook.update_or_create_submission("async", "ada", timestamp=when)
        for notebook in submission.notebooks:
            for grade in notebook.grades:
                grade.auto_score = 1.0
        gradebook.db.commit()


@pytest.fixture
def late_course(course: SmallCourse) -> SmallCourse:
    """The course with a submission an hour late."""
    submit_late(course, "2030-03-01 13:00:00 UTC")
    return course


@pytest.mark.slow
def test_an_extension_takes_the_penalty_away_without_a_new_run_and_can_be_taken_back(late_course: SmallCourse):
    done = late_course.must_run("syncpoint", "late", "async")
    (score, penalty) = penalties(late_course)["ada"]
    assert penalty == pytest.approx(score / 4) and penalty > 0
    assert f"late penalty 0 -> {penalty:g} points" in done.stdout

    done = late_course.run("syncpoint", "extend", "ada", "async", "--hours", "2")
    assert "ada: async is due 2030-03-01 14:00 UTC." in done.stdout, done.stderr
    assert penalties(late_course)["ada"] == (score, 0)
    assert late_course.run("syncpoint", "late", "async").stdout == "No late penalty has changed.\n"

    late_course.run("syncpoint", "extend", "ada", "async", "--hours", "0")
    assert penalties(late_course)["ada"] == (score, penalty)


@pytest.mark.slow
def test_who_has_not_handed_in_may_have_an_extension_and_still_has_no_points(late_course: SmallCourse):
    done = late_course.run("syncpoint", "extend", "bob", "async", "--hours", "24")
    assert "bob: async is due 2030-03-02 12:00 UTC." in done.stdout, done.stderr
    assert "Warning" not in done.stderr
    with late_course.gradebook() as gradebook:
        ada, bob = read_grades(gradebook, ExportSelection(("async",), ("ada", "bob")))
        assert [one.student_id for one in gradebook.assignment_submissions("async")] == ["ada"]
    assert "async" in ada.points and not bob.points
    # Once there is work, nbgrader hears of it.
    with late_course.gradebook() as gradebook:
        gradebook.update_or_create_submission("async", "bob", timestamp="2030-03-02 11:00:00 UTC")
    late_course.run("syncpoint", "late", "async")
    with late_course.gradebook() as gradebook:
        assert gradebook.find_submission("async", "bob").total_seconds_late == 0


@pytest.mark.slow
def test_an_extension_of_what_is_never_due_says_why(late_course: SmallCourse):
    with late_course.gradebook() as gradebook:
        gradebook.find_assignment("async").duedate = None
        gradebook.db.commit()
    done = late_course.run("syncpoint", "extend", "ada", "async", "--hours", "1")
    assert done.returncode == 1 and "async has no due date, so nothing is late" in done.stderr
