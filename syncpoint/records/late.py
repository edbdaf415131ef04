"""Late work: extensions, excuses, more time for everything, and what lateness costs."""

import datetime
from collections.abc import Container
from dataclasses import dataclass
from typing import Any

from nbgrader.api import Gradebook, SubmittedAssignment
from nbgrader.plugins import LateSubmissionPlugin
from nbgrader.preprocessors import AssignLatePenalties
from sqlalchemy.orm import Session

from ..core.errors import SyncpointError
from ..course.assignment import FILE
from ..course.folder import Course
from . import accommodations
from .accommodations import Opens, due_of, excuse, excused, find_submission, give_hours
from .database import one_transaction
from .gradebook import find_assignment, find_student
from .mark_log import acting
from .tables import TimeFactorRecord


@dataclass(frozen=True)
class Penalty:
    """The late penalty of one notebook in points: before and now."""

    student: str
    notebook: str
    before: float
    now: float


def opening(course: Course) -> Opens:
    """Return when a course's assignments were released, if they say so."""
    return lambda assignment: course.graders(assignment).settings().opens


def extend(course: Course, gradebook: Gradebook, student: str, assignment: str, hours: float) -> datetime.datetime:
    """Give a student more hours after the due date, which is returned as nbgrader stores it: UTC without a time zone.

    This replaces an earlier extension; 0 removes it. A student may get one before submitting, and keeps more time from
    a time factor.

    Raises:
        CourseError: If there is no such assignment.
        SyncpointError: If there is no such student, or if the assignment has no due date.
    """
    find_student(gradebook, student)
    _due_date(course, gradebook, assignment)
    with one_transaction(gradebook) as session:
        give_hours(session, student, assignment, hours, opening(course))
        session.flush()
        due = due_of(session, student, assignment, opening(course))
    assert due is not None
    return due


def hours_until(course: Course, gradebook: Gradebook, assignment: str, until: datetime.datetime) -> float:
    """Return how many hours a time is after an assignment's due date, or raise SyncpointError."""
    due = _due_date(course, gradebook, assignment).replace(tzinfo=datetime.UTC)
    if until <= due:
        clock = course.clock
        raise SyncpointError(
            f"{assignment} is due {clock.show(due)}, and --until is {clock.show(until)}, which is not later. "
            "To remove an extension, use `--hours 0`."
        )
    return (until - due) / accommodations.HOUR


def _due_date(course: Course, gradebook: Gradebook, assignment: str) -> datetime.datetime:
    due: datetime.datetime | None = find_assignment(course, gradebook, assignment).duedate
    if due is None:
        raise SyncpointError(
            f"{assignment} has no due date, so nothing is late. Set one with "
            f'`nbgrader db assignment add {assignment} --duedate="2026-03-01 12:00 UTC"`.'
        )
    return due


def excuse_from(course: Course, gradebook: Gradebook, student: str, assignment: str, reason: str) -> bool:
    """Excuse a student, or without a reason let it count again; return whether that is new, or raise SyncpointError."""
    find_student(gradebook, student)
    find_assignment(course, gradebook, assignment)
    with one_transaction(gradebook) as session:
        return excuse(session, student, assignment, reason)


def give_time_factor(course: Course, gradebook: Gradebook, student: str, factor: float) -> dict[str, str]:
    """Give a student more time for everything; return each new due date, or why it is unknown."""
    find_student(gradebook, student)
    reasons: dict[str, str] = {}
    with one_transaction(gradebook) as session:
        session.merge(TimeFactorRecord(student=student, factor=factor))
        session.flush()
        for assignment in gradebook.assignments:
            if assignment.duedate is None:
                reasons[assignment.name] = "has no due date"
                continue
            submission = find_submission(session, student, assignment.name)
            if submission is not None:
                accommodations.write_extension(session, submission, opening(course))
                session.flush()
            if opening(course)(assignment.name) is not None:
                due = due_of(session, student, assignment.name, opening(course))
                assert due is not None
                reasons[assignment.name] = f"is due {course.clock.show(due)}"
            else:
                file = course.graders(assignment.name).folder / FILE
                reasons[assignment.name] = f"does not say when it opens: write opens = 2026-02-15T12:00:00Z into {file}"
    return reasons


def work_out_penalties(
    course: Course, gradebook: Gradebook, assignment: str, student: str = "", *, why: str = ""
) -> list[Penalty]:
    """Compute late penalties from existing scores with the course's plugin; judges nothing."""
    rule = AssignLatePenalties(config=course.settings())
    rule.init_plugin()
    with one_transaction(gradebook) as session:
        submissions = find_assignment(course, gradebook, assignment).submissions
        free = excused(session)
        changed: list[Penalty] = []
        with acting(session, "late penalties", why):
            for submission in [one for one in submissions if student in ("", one.student_id)]:
                changed += write_penalties(submission, rule, seconds_late(session, submission, opening(course), free))
    return changed


def costs_nothing(course: Course) -> bool:
    """Whether the configuration has no rule on late work."""
    rule = AssignLatePenalties(config=course.settings())
    rule.init_plugin()
    plugin: Any = rule.plugin_inst
    return type(plugin) is LateSubmissionPlugin and plugin.penalty_method == "none"


def seconds_late(
    session: Session, submission: SubmittedAssignment, opens: Opens, free: Container[tuple[str, str]]
) -> float:
    """Return how late a submission is, after the student's extension; never late if the student is excused."""
    accommodations.write_extension(session, submission, opens)
    return 0.0 if (submission.student_id, submission.name) in free else submission.total_seconds_late


def penalty_of(rule: AssignLatePenalties, student: str, score: float, late: float) -> float:
    """Return the points that a notebook loses when this many seconds late; at most its points."""
    points = rule.plugin_inst.late_submission_penalty(student, score, late)
    return min(max(points or 0.0, 0.0), score)


def write_penalties(
    submission: SubmittedAssignment, rule: AssignLatePenalties, late: float, notebook: str = ""
) -> list[Penalty]:
    """Write the late penalty of a notebook, or of all; return the changes."""
    changed = []
    for this in [one for one in submission.notebooks if notebook in ("", one.name)]:
        before, now = this.late_submission_penalty or 0.0, 0.0
        if late > 0:
            now = penalty_of(rule, submission.student_id, this.score, late)
        this.late_submission_penalty = now or None
        if now != before:
            changed.append(Penalty(submission.student_id, this.name, before, now))
    return changed
