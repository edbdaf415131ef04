"""Late penalties: nbgrader's own, by the share that the course sets, and the same at every grading."""

import pytest
from classroom import SmallCourse
from nbgrader.api import Gradebook

from syncpoint.nbgrader_hooks.late import SharePerPeriod

DAY = 24 * 3600.0
LATE = """
c.AssignLatePenalties.plugin_class = "syncpoint.nbgrader_hooks.late.SharePerPeriod"
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
    with Gradebook(f"sqlite:///{course.root}/gradebook.db", "syncpoint") as gradebook:
        submissions = gradebook.assignment_submissions("async")
        return {s.student.id: (s.score, s.late_submission_penalty) for s in submissions}


@pytest.mark.engine
@pytest.mark.sandbox
@pytest.mark.slow
def test_late_work_pays_once_however_often_it_is_graded(course: SmallCourse):
    course.configure(LATE)
    course.nbgrader("db", "assignment", "add", "async", "--duedate=2030-03-01 12:00:00 UTC")
    for student, time in {"ada": "2030-03-01 11:59:59 UTC", "bob": "2030-03-02 13:00:00 UTC"}.items():
        course.submit(student, course.solved())
        (course.folder(student) / "timestamp.txt").write_text(time)
    for again in ((), ("--force",)):
        done = course.nbgrader("autograde", "async", *again)
        assert done.returncode == 0, done.stderr
        assert penalties(course) == {"ada": (6, 0), "bob": (6, 3)}
