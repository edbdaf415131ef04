"""Sends marks to a learning platform: shows the changes, then makes each one separately."""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Literal

from nbgrader.api import Gradebook, Student
from nbgrader.coursedir import CourseDirectory
from traitlets import Dict, Enum, Unicode
from traitlets.config import Configurable

from ..core.errors import SyncpointError
from ..core.language import speaking
from ..core.locked_folder import only_one
from ..core.messages import say
from ..core.names import some
from ..core.strip import strip_control
from ..course.errors import CourseError
from ..course.folder import Course
from ..course.settings import read_settings
from ..course.traits import in_config
from ..records.gradebook import find_assignment
from ..records.grades import ExportSelection, StudentGrades, read_grades
from ..records.roster import names_differ
from ..records.sent_marks import Sent, as_taken, begin, read_sent, refused, same_points, took
from ..records.student_details import languages, student_ids
from ..records.totals import PERCENT, totals_or_error, with_total
from ..translations.catalogue import spoken
from ..translations.source_messages import REPORT
from . import canvas, moodle
from .column import Column, Entry, Mark
from .lti import LtiColumn, column_of, total_column
from .registration import read_registration
from .session import NoReply, PlatformError, as_documented
from .token import read_token

TOTAL = ""  # instead of an assignment's name: the course total
KINDS = {"id": "lms_user_id", "school id": "school_id", "login": "login"}
UNREAD = "an answer has not been read yet"
OPEN = "the total is not final: something is unmarked or can still be submitted"
GROUPS = (
    "{assignment} is group work: each member's own mark is sent for that member alone. On Canvas, this needs 'Assign "
    "Grades to Each Student Individually' in the assignment; otherwise the last mark of a group counts for all members."
)
GIVE_UP = 3  # consecutive students without an answer from the platform, each after several tries
Change = Literal["new", "changed", "lower", "comment", "taken back", "excused"]
Rest = Literal["same", "held", "waits", "nothing", "unmatched"]
CHANGES: tuple[Change, ...] = Change.__args__  # type: ignore[attr-defined]


class SendMarks(Configurable):
    """Settings for sending marks to a learning platform without launches, and for lower marks."""

    total = Unicode(
        "", help="The page of an assignment with 100 points, for the course total. Default: a column created by LTI."
    ).tag(config=True)
    columns = Dict(
        value_trait=Unicode(),
        key_trait=Unicode(),
        help="The address of each assignment's page in Canvas or Moodle, as a browser shows it: "
        '{"async": "https://.../assignments/2"}. Default: the link that students open by LTI.',
    ).tag(config=True)
    identity = Enum(
        tuple(KINDS),
        "id",
        help="The id of a student in the roster and on these pages: the platform's own (LMS id), the school's, or the "
        "login.",
    ).tag(config=True)
    token_file = Unicode(
        "",
        help="A file with the access token for these pages, which only its owner may read; the variable "
        "SYNCPOINT_LMS_TOKEN takes precedence.",
    ).tag(config=True)
    feedback = Unicode(
        "",
        help="The address of the feedback, for the comment; {assignment} in it stands for the name. Default: the LTI "
        "link.",
    ).tag(config=True)
    lower = Enum(
        ("send", "hold"),
        "send",
        help='What to do with a mark that is lower than the one on the platform; "hold" only lists it.',
    ).tag(config=True)


@dataclass(frozen=True)
class Step:
    """The step to take for one student's mark."""

    student: str
    what: Change | Rest
    text: str
    user: str = ""
    mark: Mark | None = None

    @property
    def sends(self) -> bool:
        return self.what in CHANGES

    def __str__(self) -> str:
        return strip_control(f"{self.what:<11}{self.student}: {self.text}")


@dataclass(frozen=True)
class Plan:
    """The steps to take for an assignment, or the course total."""

    assignment: str
    column: Column
    steps: tuple[Step, ...]
    groups: bool = False  # whether groups submit together and the platform does not tell how it marks them


def plan(course: Course, gradebook: Gradebook, assignment: str, overwrite: bool = False, make: bool = False) -> Plan:
    """Compare the gradebook's marks for an assignment ("": the course total) with the platform's.

    With ``overwrite``, marks that a person changed on the platform are replaced, and lower marks sent; with ``make``, a
    total's column is created if the platform does not have it yet.

    Raises:
        CourseError: If the assignment has no points, or no column on a platform.
        PlatformError: If the platform does not say what it has.
    """
    settings = in_config(SendMarks, course.settings())
    totals = {} if assignment else totals_or_error(course, gradebook.db())
    possible = float(find_assignment(course, gradebook, assignment).max_score) if assignment else PERCENT
    if possible <= 0:
        raise CourseError(f"{assignment} has no points to send.")
    column, link = _column(course, settings, assignment, possible, make)
    with as_documented(column.place):
        there = column.entries(possible)
    excluded = CourseDirectory(config=course.settings()).student_id_exclude.split(",")
    known = {student.id: student for student in gradebook.students if student.id not in excluded}
    compare = _Comparison(
        assignment,
        possible,
        column,
        there,
        read_sent(gradebook, assignment, column.place),
        _ids(known, student_ids(gradebook.db()), column.kind),
        hold_lower=settings.lower == "hold" and not overwrite,
        overwrite=overwrite,
    )
    of = course.settings_of(assignment) if assignment else read_settings(course.settings())
    spoken_by, usual = languages(gradebook.db()), of.language
    steps = []
    chosen = ExportSelection((assignment,) if assignment else (), tuple(sorted(known)))
    for student in read_grades(gradebook, chosen):
        marked = student if assignment else with_total(student, totals[student.id], assignment)
        with speaking(spoken(course, spoken_by.get(student.id) or usual, assignment or REPORT)):
            steps.append(compare.step(marked, _comment(marked.points.get(assignment), possible, link, assignment)))
    groups = isinstance(column, LtiColumn) and bool(assignment) and course.graders(assignment).settings().groups
    return Plan(assignment, column, tuple(steps), groups)


def sending(course: Course) -> AbstractContextManager[None]:
    """Lock out other commands, of which one begun before a regrade would send old marks, or raise CourseError."""
    taken = CourseError("another command is sending marks of this course: wait until it has ended.")
    return only_one(course.state / "sending.lock", taken)


def send(gradebook: Gradebook, plan: Plan) -> Iterator[tuple[Step, str]]:
    """Send each change; yield it with its problem, or "".

    Each is logged before and after, so that a stopped run can continue.

    Raises:
        NoReply: If the platform has stopped answering.
    """
    silent = 0
    for step in plan.steps:
        if not step.sends or step.mark is None:
            continue
        points, comment = step.mark.points, step.mark.comment
        number = begin(gradebook, step.student, plan.assignment, plan.column.place, points, comment)
        try:
            with as_documented(plan.column.place):
                plan.column.write(step.user, step.mark)
        except NoReply as problem:
            silent += 1
            yield step, str(problem)
            if silent == GIVE_UP:
                raise NoReply(
                    f"the platform has not answered for {GIVE_UP} students. Run the command again: it continues here."
                ) from None
        except PlatformError as problem:
            if problem.status:  # the platform itself rejected the mark
                refused(gradebook, number)
            silent = 0
            yield step, str(problem)
        else:
            took(gradebook, number)
            silent = 0
            yield step, ""


def describe(plan: Plan) -> Iterator[str]:
    """Yield lines on what would change and what would not."""
    if plan.groups:
        yield GROUPS.format(assignment=plan.assignment)
    yield from map(str, (step for step in plan.steps if step.what not in ("same", "nothing")))
    for what, text in (("same", "unchanged"), ("nothing", "nothing to send")):
        if found := [step.student for step in plan.steps if step.what == what]:
            yield strip_control(f"{what:<11}{some(found)}: {text}")


@dataclass(frozen=True)
class _Comparison:
    """The gradebook and the platform side by side."""

    assignment: str
    possible: float
    column: Column
    there: Mapping[str, Entry] | None
    sent: Mapping[str, Sent]
    ids: Mapping[str, tuple[Student, str]]
    hold_lower: bool
    overwrite: bool

    def step(self, student: StudentGrades, comment: str) -> Step:
        name, is_excused = student.id, self.assignment in student.excused
        if self.assignment in student.unread:
            return Step(name, "waits", UNREAD if self.assignment else OPEN)
        if not is_excused and self.assignment not in student.points:
            return Step(name, "nothing", "nothing is graded" if self.assignment else "nothing counts yet")
        entry, trouble = self._entry(name)
        if entry is None:
            nothing = is_excused and name not in self.sent
            return Step(name, "nothing", "excused") if nothing else Step(name, "unmatched", trouble)
        if is_excused:
            return self._excused(name, entry)
        mark = Mark(student.points[self.assignment], self.possible, comment)
        return self._points(name, entry, mark, mark.points or 0.0)

    def _entry(self, name: str) -> tuple[Entry | None, str]:
        """The student's place on the platform, by their exact id, or why there is none."""
        student, id = self.ids[name]
        if not id:
            return None, f"the roster has no {self.column.kind.replace('_', ' ')} for this student"
        sent = self.sent.get(name)
        if self.there is None:
            return Entry(id, sent.last.points if sent and sent.last else None), ""
        entry = self.there.get(id)
        if entry is None:
            why = f"the course on the platform has nobody with the id {id}, or more than one person"
            return (None, why) if self.column.complete else (Entry(id), "")
        if names_differ(entry.name, f"{student.first_name or ''} {student.last_name or ''}"):
            return None, f"on the platform {id} is {entry.name!r}, but not in the gradebook: check the roster"
        return entry, ""

    def _excused(self, name: str, entry: Entry) -> Step:
        sent = self.sent.get(name)
        if self.column.excuses:
            if entry.excused:
                return Step(name, "same", "excused")
            return Step(name, "excused", "excused", entry.user, Mark(None, self.possible, excused=True))
        if entry.points is None and not (sent and (sent.perhaps or (sent.last and sent.last.points is not None))):
            return Step(name, "nothing", "excused")
        if held := self._foreign(name, entry):
            return held
        return Step(name, "taken back", "excused", entry.user, Mark(None, self.possible))

    def _points(self, name: str, entry: Entry, mark: Mark, points: float) -> Step:
        sent, there = self.sent.get(name), entry.points
        shown = f"{points:g} of {self.possible:g}"
        if there is not None and as_taken(there, points, self.possible):
            last = sent.last if sent and not sent.perhaps else None
            if last is not None and same_points(last.points, points) and last.comment == mark.comment:
                return Step(name, "same", shown)
            return Step(name, "comment", f"{shown}, with a new comment", entry.user, mark)
        if there is None:
            return Step(name, "new", shown, entry.user, mark)
        if held := self._foreign(name, entry):
            return held
        change = f"{there:g} -> {points:g} of {self.possible:g}"
        if points > there:
            return Step(name, "changed", change, entry.user, mark)
        if self.hold_lower:
            return Step(name, "held", f"{change} is lower; --overwrite sends it")
        return Step(name, "lower", change, entry.user, mark)

    def _foreign(self, name: str, entry: Entry) -> Step | None:
        """Return a step that leaves another person's mark on the platform unchanged."""
        sent = self.sent.get(name)
        if self.overwrite or entry.points is None or (sent and sent.explains(entry.points, self.possible)):
            return None
        why = f"the platform has {entry.points:g}, which was not sent from here; --overwrite replaces it"
        return Step(name, "held", why)


def _column(course: Course, settings: SendMarks, assignment: str, possible: float, make: bool) -> tuple[Column, str]:
    """The column of an assignment or of the total, and the address of the feedback."""
    unknown = [name for name in settings.columns if name not in course.assignments()]
    if unknown:
        raise CourseError(f"c.SendMarks.columns names {some(unknown)}: the course has {some(course.assignments())}.")
    link = settings.feedback.replace("{assignment}", assignment) if assignment else ""
    pages = {**settings.columns, TOTAL: settings.total}
    page = pages.get(assignment, "")
    if not page:
        at = read_registration(course)
        if not assignment:
            return total_column(course, at, possible, make), ""
        return column_of(course, at, assignment), link or at.links.get(assignment, "")
    shared = [name or "the total" for name, other in pages.items() if other == page]
    if len(shared) > 1:
        raise CourseError(f"c.SendMarks has the same page for {some(shared)}: each needs its own.")
    kinds = (canvas.PAGE, canvas.CanvasColumn), (moodle.PAGE, moodle.MoodleColumn)
    for pattern, kind in kinds:
        if found := pattern.fullmatch(page):
            column: Column = kind(found, read_token(settings.token_file), KINDS[settings.identity])
            return column, link
    raise CourseError(
        f"c.SendMarks: {page!r} is not the address of an assignment. Canvas: https://.../courses/1/assignments/2; "
        "Moodle: https://.../mod/assign/view.php?id=3."
    )


def _ids(
    known: Mapping[str, Student], others: Mapping[str, Mapping[str, str]], kind: str
) -> dict[str, tuple[Student, str]]:
    """Each student with their id on the platform; "" if there is none, or if two students have the same."""
    found = {}
    for name, student in known.items():
        own = others.get(name, {})
        id = (student.lms_user_id or "") if kind == "lms_user_id" else own.get(kind, "")
        # A roster without LMS ids has the school's ids instead.
        found[name] = (student, "" if kind == "lms_user_id" and id == own.get("school_id") else id)
    shared = [id for _, id in found.values()]
    return {name: (student, id if shared.count(id) == 1 else "") for name, (student, id) in found.items()}


def _comment(points: float | None, possible: float, link: str, assignment: str) -> str:
    if points is None:
        return ""
    if not assignment:
        return say("page_total", percent=round(points, 1))
    if not link:
        return say("points", points=points, most=possible)
    return say("mark_with_feedback", points=points, most=possible, link=link)


def check_sent(troubles: int, plan: Plan) -> None:
    """Raise SyncpointError if somebody's mark did not arrive."""
    unmatched = [step.student for step in plan.steps if step.what == "unmatched"]
    if troubles or unmatched:
        raise SyncpointError(
            f"marks that were not accepted: {troubles}; students that were not found: {len(unmatched)}. All others are "
            "done."
        )
