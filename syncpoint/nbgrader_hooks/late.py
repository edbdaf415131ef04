"""Late work: penalties for nbgrader's late plugin, extensions, and penalties worked out anew."""

import datetime
import math
from collections.abc import Iterator
from dataclasses import dataclass

from nbgrader.api import Gradebook, MissingEntry, SubmittedAssignment
from nbgrader.plugins import LateSubmissionPlugin
from nbgrader.preprocessors import AssignLatePenalties
from traitlets import Float
from traitlets.config import Config

from ..core.errors import SyncpointError
from ..records.database import one_transaction

HOUR = 3600.0


class SharePerPeriod(LateSubmissionPlugin):
    """Takes a share of the points for each period that was begun after the due date; nbgrader's own takes all or none.

    The due date has the student's extension in it.  nbgrader works the penalty out anew at each grading, from the
    times of the due date and of the submission: grading again changes nothing.
    """

    share = Float(0.1, min=0, max=1, help="The share of the points of a notebook that one period costs.").tag(
        config=True
    )
    hours = Float(24, help="How long a period is.").tag(config=True)

    def late_submission_penalty(self, student_id: str, score: float, total_seconds_late: float) -> float:
        """The points that a notebook with ``score`` loses; never more than it has."""
        begun = math.ceil(total_seconds_late / (self.hours * HOUR))
        return round(score * min(1.0, self.share * begun), 4)


class UnknownEntry(SyncpointError):
    """The gradebook has no such student or assignment, or no due date."""


@dataclass(frozen=True)
class Penalty:
    """What lateness costs in one notebook, in points: before and now."""

    student: str
    notebook: str
    before: float
    now: float


def extend(gradebook: Gradebook, student: str, assignment: str, hours: float) -> datetime.datetime:
    """Give a student so many hours more, counted from the due date; earlier extensions are replaced, 0 takes them back.

    Whoever has not handed in yet may have one, too.

    Returns:
        When the work of this student is due, in UTC and without a time zone, as nbgrader keeps times.

    Raises:
        UnknownEntry: If there is no such student or assignment, or if it has no due date.
    """
    try:
        gradebook.find_student(student)
        due = gradebook.find_assignment(assignment).duedate
    except MissingEntry as problem:
        raise UnknownEntry(f"the gradebook has {str(problem)[:1].lower()}{str(problem)[1:]}.") from None
    if due is None:
        raise UnknownEntry(
            f"{assignment} has no due date, so nothing is late: "
            f'`nbgrader db assignment add {assignment} --duedate="2026-03-01 12:00 UTC"` sets one.'
        )
    with one_transaction(gradebook):
        submission = gradebook.update_or_create_submission(assignment, student)
        submission.extension = datetime.timedelta(hours=hours) if hours else None
        late_from: datetime.datetime = submission.duedate
    return late_from


def work_out_penalties(gradebook: Gradebook, config: Config, assignment: str, student: str = "") -> list[Penalty]:
    """Work out what lateness costs from the scores that are there, by the plugin of the course; nothing is judged.

    Args:
        gradebook: It is changed.
        config: Of the course.
        assignment: Its name.
        student: This one's alone; "" for everybody's.

    Returns:
        What has changed.

    Raises:
        UnknownEntry: If the gradebook has no such assignment.
    """
    rule = AssignLatePenalties(config=config)
    rule.init_plugin()
    with one_transaction(gradebook):
        try:
            submissions = gradebook.find_assignment(assignment).submissions
        except MissingEntry:
            raise UnknownEntry(f"the gradebook has no assignment {assignment}.") from None
        chosen = [submission for submission in submissions if student in ("", submission.student_id)]
        return [penalty for submission in chosen for penalty in _of(submission, rule)]


def _of(submission: SubmittedAssignment, rule: AssignLatePenalties) -> Iterator[Penalty]:
    late = submission.total_seconds_late
    for notebook in submission.notebooks:
        before, now = notebook.late_submission_penalty or 0.0, 0.0
        if late > 0:
            points = rule.plugin_inst.late_submission_penalty(submission.student_id, notebook.score, late)
            now = min(max(points or 0.0, 0.0), notebook.score)
        notebook.late_submission_penalty = now or None
        if now != before:
            yield Penalty(submission.student_id, notebook.name, before, now)
