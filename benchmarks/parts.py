"""Where the seconds of one submission went, read from what the judge kept of a class."""

import statistics
from collections.abc import Sequence

from syncpoint.core.results import Cost
from syncpoint.course.folder import Course
from syncpoint.course.nbgrader_command import CommandFailed
from syncpoint.demo.sample_class import class_file, read_class
from syncpoint.records.read import read_submission

from .courses import Classroom
from .figures import Parts, Run

SAMPLE = 20  # submissions that are read
SECONDS = ("kernel_start", "kernel_busy", "kernel_stop", "total")


def read_parts(room: Classroom, origin: Course, run: Run) -> Parts:
    """The parts of the submissions that ``run`` graded there, beside the budget that ``origin`` has for them.

    Raises CommandFailed if nothing of a submission was run.
    """
    costs, earned, possible = [], 0.0, 0.0
    for student in room.students()[:SAMPLE]:
        kept = [notebook.notebook_result for notebook in read_submission(room.course, student, room.assignment)]
        costs.append(
            _sum([notebook_result.cost for notebook_result in kept if notebook_result.cost is not None], student)
        )
        exercises = [exercise for notebook_result in kept for exercise in notebook_result.exercises]
        earned += sum(exercise.points for exercise in exercises)
        possible += sum(exercise.max_points for exercise in exercises)
    known = class_file(origin, room.assignment).is_file()
    return Parts(
        room.assignment,
        len(costs),
        run.wall * run.workers / run.submissions,
        Cost(**{name: statistics.median(getattr(cost, name) for cost in costs) for name in (*SECONDS, "peak_mib")}),
        earned / possible if possible else 0.0,
        read_class(origin, room.assignment).budget if known else None,
    )


def _sum(costs: Sequence[Cost], student: str) -> Cost:
    """The cost of all notebooks of one submission: seconds added, memory at its highest."""
    if not costs:
        raise CommandFailed(f"nothing of {student} was run.")
    seconds = {name: sum(getattr(cost, name) for cost in costs) for name in SECONDS}
    return Cost(**seconds, peak_mib=max(cost.peak_mib for cost in costs))
