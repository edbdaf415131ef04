"""Finds answers that are wrong for the student's own values, and right for those of another student."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from nbgrader.api import Gradebook
from sqlalchemy import select

from ..core.names import some
from ..course.folder import Course
from ..grading.read_submissions import Reader, Submission, reader_of
from ..records.gradebook import open_gradebook
from ..records.read_results import notebook_result
from ..records.tables import NotebookRecord
from ..records.variants import drawn
from .measure import Lab

RELEASE = "the release"
FOUND = "{student}: {exercise} is wrong for the student's own values, and right for those of {others}."


def right_for_others(course: Course, assignment: str) -> Iterator[str]:
    """Judge each failed exercise with the values of the other students; yield a sentence where it is right.

    The notebook's given cells have the other student's values then, as in that student's notebook.
    """
    course.check_assignment(assignment)
    lab, variants = Lab.of(course, assignment), course.graders(assignment).settings().variants
    reader = reader_of(course, assignment)
    with open_gradebook(course) as gradebook:
        failed = _failed(gradebook, assignment)
        of_student = {name: variants.now(one) for name, one in drawn(gradebook.db(), assignment).items()}
    whose = {variants.number(): [RELEASE]}
    for student, variant in sorted(of_student.items()):
        whose.setdefault(variant, []).append(student)
    for submission in reader.everybody():
        own = of_student.get(submission.author, variants.number())
        others = {variant: names for variant, names in whose.items() if variant != own}
        for exercise in failed.get(submission.student, []):
            right = list(_right(lab, reader, submission, exercise, others))
            if right:
                yield FOUND.format(student=submission.student, exercise=exercise, others=some(right))


def _right(
    lab: Lab, reader: Reader, submission: Submission, exercise: str, others: Mapping[str, list[str]]
) -> Iterator[str]:
    """Those with whose values an exercise of a submission is right."""
    for names in others.values():
        theirs = Submission(submission.folder, submission.student, names[0])
        try:
            jobs = reader.read(theirs).values()
        except Exception:  # a folder that cannot be read has not been graded either
            return
        job = next((job for job in jobs if any(cell.grade_id == f"test_{exercise}" for cell in job.cells)), None)
        judged = lab.judge(job, exercise) if job is not None else None
        if judged is not None and judged.tests and all(test.passed for test in judged.tests):
            yield from names


def _failed(gradebook: Gradebook, assignment: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for record in gradebook.db.scalars(select(NotebookRecord).where(NotebookRecord.assignment == assignment)):
        for exercise in notebook_result(record).exercises:
            if any(not test.passed for test in exercise.tests):
                found.setdefault(record.student, []).append(exercise.name.removeprefix("test_"))
    return found
