"""Grades an assignment of a class, from the list to the summary; all grading calls :func:`run`."""

import contextlib
import logging
from collections.abc import Callable, Sequence
from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.converters import Autograde
from nbgrader.coursedir import CourseDirectory
from sqlalchemy.exc import DBAPIError

from ..core.errors import SyncpointError
from ..core.names import some
from ..course.folder import Course, CourseError
from ..course.settings import settings_for
from ..judge.job import to_json
from ..records.owner import shown
from ..report.render_client import renderer
from ..sandbox.signals import end_cleanly
from .assemble import Assembler
from .claims import Claims
from .commit import Committer, read_release
from .display import Display
from .failures import explain, stopped
from .loop import LEFT, GradingLoop
from .notebook_reader import NotebookReader
from .options import RunOptions
from .plan import ForcedRun, Plan
from .pool import JudgingThreads, NoCluster, Pool
from .preflight import check_course, clean_up
from .read_submissions import Reader, Students, Submission
from .source_differs import source_differs

NOTHING = "nobody has submitted {assignment}: there is no folder submitted/<student>/{assignment}."
IN_OTHER_RUN = "Another run is grading these now: {}. Waiting until it is done with them."
LEFT_OUT = "Excluded by student_id_exclude: {}."
WITHDRAWN = "{student}: removed the marks for the work of {submitter}, because they are not one group any more."


def check_assignment(course: Course, assignment: str) -> None:
    """Whether an assignment can be graded. Raises CourseError if it cannot."""
    course.check_assignment(assignment)
    if not (course.root / "release" / assignment).is_dir():
        raise CourseError(f"{assignment} has no release yet: run `nbgrader generate_assignment {assignment}` first.")


def run(
    course: Course, assignment: str, options: RunOptions, display: Display, converter: Autograde | None = None
) -> bool:
    """Grade an assignment, and return whether everybody is graded now.

    If nbgrader's converter is given, its settings count, else those of the course; the converter itself never runs.

    Raises:
        CourseError: If there is no such assignment, or no release of it.
        NoCluster: If the cluster has stopped and there is a feed, which may continue with another cluster.
    """
    check_assignment(course, assignment)
    end_cleanly(lambda problem: stopped(problem, display.current))
    with display.shown(), contextlib.ExitStack() as stack, contextlib.chdir(course.root):
        try:
            _grade(course, converter or _converter(course, assignment, display), options, display, stack)
        except NoCluster as problem:
            if options.feed is not None:
                raise
            display.stopped(str(problem))
        except (SyncpointError, DBAPIError, OSError) as problem:
            display.stopped(explain(problem) or str(problem))
        else:
            if difference := source_differs(course, assignment):
                display.note(difference)
    return display.complete


def _converter(course: Course, assignment: str, display: Display) -> Autograde:
    config = course.settings()
    coursedir = CourseDirectory(config=config, root=str(course.root), assignment_id=assignment, student_id="*")
    display.note(f"Gradebook: {shown(str(coursedir.db_url))}")
    return Autograde(coursedir=coursedir, config=config, log=_log(display.note))


def _grade(
    course: Course, autograde: Autograde, options: RunOptions, display: Display, stack: contextlib.ExitStack
) -> None:
    """Create everything that a run needs, and grade with it."""
    coursedir, settings = autograde.coursedir, settings_for(autograde)
    notebooks = NotebookReader(course, coursedir, settings, autograde.exclude_overwriting)
    reader = Reader(notebooks, coursedir, coursedir.assignment_id)
    everybody = [] if options.feed else reader.everybody()
    listed = [] if options.feed else _chosen(reader, everybody, options, display)
    check_course(coursedir, coursedir.assignment_id, course, settings)
    clean_up(coursedir, course)
    claims = stack.enter_context(contextlib.closing(Claims(Path(coursedir.root, coursedir.autograded_directory))))
    gradebook = stack.enter_context(Gradebook(coursedir.db_url, coursedir.course_id))
    with gradebook.db() as session:
        release = read_release(session, coursedir.assignment_id)
    assembler = Assembler(course, settings, autograde, release)
    committer = Committer(course, autograde, gradebook, release, assembler.late)
    for student, submitter in committer.withdraw(everybody).items():
        display.note(WITHDRAWN.format(student=student, submitter=submitter))
    forced = ForcedRun.of(course.state / "anew", coursedir.assignment_id, options.students)
    plan = Plan(reader, committer.copies, options.force, forced.begin(display.note) if options.force else 0)
    display.begin(len(listed))
    loop = GradingLoop(reader, plan, assembler, committer, claims, display, gradebook, options.feed)
    new = [one for one in listed if options.force or not committer.copies(one.student).is_dir()]
    loop.pool = stack.enter_context(_pool(reader, options, loop.begun, len(listed), len(new), display, stack))
    renderer().start()  # started early, so that the first result does not wait for it
    if options.feed:
        loop.serve(options.feed)
        if options.scheduler and loop.pool.gone:
            raise NoCluster(loop.pool.gone)
        return
    for pattern, why in _students(reader, options).missing([one.student for one in listed]).items():
        display.nobody(pattern, why)
    if _grade_listed(loop, listed, claims, options.waits, display) and options.force and display.complete:
        forced.end()


def _students(reader: Reader, options: RunOptions) -> Students:
    return Students(reader.spec.assignment, options.students or ("*",), reader.excluded)


def _grade_listed(
    loop: GradingLoop, listed: Sequence[Submission], claims: Claims, waits: bool, display: Display
) -> bool:
    """Grade these submissions, and then those that another run was grading; return False if they are left to it."""
    here = [one for one in listed if claims.take_if_alone(one.name)]
    claimed = sorted((one for one in listed if one not in here), key=lambda one: one.folder)
    loop.grade(here)
    if claimed and not waits:
        display.note(LEFT.format(some(one.student for one in claimed)))
        return False
    if claimed:
        display.note(IN_OTHER_RUN.format(some(one.student for one in claimed)))
        for one in claimed:
            claims.take(one.name)
        loop.grade(claimed)
    return True


def _chosen(reader: Reader, everybody: list[Submission], options: RunOptions, display: Display) -> list[Submission]:
    """Return the submissions of a run in order; partners without their own work are graded with the submission."""
    if not everybody:
        raise CourseError(NOTHING.format(assignment=reader.spec.assignment))
    students = _students(reader, options)
    if not options.students and (left_out := [one.student for one in everybody if one.student in students.excluded]):
        display.note(LEFT_OUT.format(some(left_out)))
    chosen = {one.student for one in everybody if one.student in students}
    listed = [one for one in everybody if one.student in chosen or {one.folder.parent.name} & chosen]
    for sentence in reader.group_work.about(chosen):
        display.note(sentence)
    postponed = set(reader.course.postponed)
    included = (one for one in listed if one.student not in students.excluded)
    return sorted(included, key=lambda one: (one.name in postponed, one.folder))


def _pool(
    reader: Reader,
    options: RunOptions,
    begun: Callable[[str, str], None],
    submissions: int,
    new: int,
    display: Display,
    stack: contextlib.ExitStack,
) -> Pool:
    """Return the pool: threads of this machine, prepared for the new submissions, or the cluster's workers."""
    spec = reader.spec
    if options.executor is None:
        from .cluster import ClusterPool, cluster_at

        client = stack.enter_context(cluster_at(options.scheduler))
        return ClusterPool(client, spec, begun, display.workers, display.note)
    workers = options.workers if options.feed else min(options.workers, max(1, submissions))
    display.workers([f"worker {number + 1}" for number in range(workers)])
    if isinstance(options.executor, JudgingThreads) and not options.executor.used:
        options.executor.prepare(to_json(spec.sandbox_spec(reader.course.root).empty), workers if options.feed else new)
    return Pool(options.executor, workers, spec, begun)


def _log(note: Callable[[str], None]) -> logging.Logger:
    """A log that collects errors of nbgrader and of the configuration's steps."""

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            note(record.getMessage())

    log = logging.Logger("syncpoint.grading", logging.ERROR)
    log.addHandler(Listener())
    return log
