"""An assignment's sample class, read from its class.toml: its students, and the budget for grading them."""

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, fields, replace
from pathlib import Path

from ..core.limits import Limits
from ..core.variants import fill
from ..course.errors import CourseError
from ..course.folder import Course
from ..course.graders import BANK
from .class_file import Budget, ClassFile, StudentTable, read_class_file, unknown
from .corruptions import AT_AN_EXERCISE, EVERYWHERE
from .sample_submission import SampleSubmission, reference_solutions

PREFIX = "demo_"
# Lines about what is right or wrong in a solution are for maintainers of the bank.
COMMENT = re.compile(r"\A(?:#.*\n|\s*\n)+")


@dataclass(frozen=True)
class SampleStudent:
    """One student."""

    name: str
    solves: bool  # whether cells without an answer have the reference solution; otherwise the released cell
    answers: dict[str, Path]  # exercise -> its file in the bank
    essays: dict[str, str]  # the texts for written questions
    spoil: Callable[[SampleSubmission], None] | None  # damages the submission afterwards
    did: str = ""  # the demo's text about the student; "" for students whom only ``--all`` shows


@dataclass(frozen=True)
class SampleClass:
    """The class of one assignment."""

    assignment: str
    budget: Budget
    limits: dict[str, float]  # settings of GradeSubmission that override the course's
    members: tuple[SampleStudent, ...]

    @property
    def students(self) -> list[str]:
        """The students' names in nbgrader."""
        return [f"{PREFIX}{member.name}" for member in self.members]

    @property
    def telling(self) -> "SampleClass":
        """The few students with a description; all students if none has one."""
        return replace(self, members=tuple(member for member in self.members if member.did) or self.members)


@dataclass(frozen=True)
class Questions:
    """An assignment's exercises, and its questions with a written answer."""

    bank: Path
    exercises: tuple[str, ...]
    written: tuple[str, ...]

    @classmethod
    def of(cls, course: Course, assignment: str) -> "Questions":
        """Return the exercises and questions of the instructor's notebooks."""
        written = course.source(assignment).graded_cells().keys() - course.source(assignment).exercises().keys()
        solutions = reference_solutions(course, assignment)
        return cls(course.graders(assignment).bank, tuple(solutions), tuple(sorted(written)))

    def files(self, table: StudentTable) -> dict[str, Path]:
        """Return the bank's file for each of a student's own answers."""
        return {exercise: self.bank / exercise / f"{name}.py" for exercise, name in table.answers.items()}


def class_file(course: Course, assignment: str) -> Path:
    return course.graders(assignment).bank / "class.toml"


def assignments_with_a_class(course: Course) -> list[str]:
    """Return every assignment that has a class.toml."""
    found = sorted(path.parents[1].name for path in course.root.glob(f"grader_tests/*/{BANK}/class.toml"))
    if not found:
        raise CourseError(f"{class_file(course, '<assignment>')} is missing: no assignment has a sample class.")
    return found


def read_class(course: Course, assignment: str) -> SampleClass:
    """Return the checked class of an assignment, with the solutions that its students submit, or raise CourseError."""
    path = class_file(course, assignment)
    file = read_class_file(path)
    questions = Questions.of(course, assignment)
    for place, mistake in _mistakes(file, questions):
        raise CourseError(f"{path}: {place} {mistake}.")
    members = tuple(_sample_student(table, questions, file.essays) for table in file.students)
    return SampleClass(assignment, file.budget, file.limits, members)


def _mistakes(file: ClassFile, questions: Questions) -> Iterator[tuple[str, str]]:
    """Return each key that does not match the course, and the problem."""
    yield from _strangers("limits", file.limits, [field.name for field in fields(Limits)])
    yield from _strangers("essays", file.essays, questions.written)
    names = [table.name for table in file.students]
    yield from (("students", f"has {name} twice") for name in names if names.count(name) > 1)
    for table in file.students:
        yield from _strangers(f"{table.place}.answers", table.answers, questions.exercises)
        yield from _strangers(f"{table.place}.essays", table.essays, questions.written)
        for exercise, path in questions.files(table).items():
            if not path.is_file():
                yield f"{table.place}.answers.{exercise}", f"names {path}, which is missing"
        if table.spoil not in ("", *AT_AN_EXERCISE, *EVERYWHERE):
            yield f"{table.place}.spoil", unknown([*AT_AN_EXERCISE, *EVERYWHERE])
        if table.at and table.spoil not in AT_AN_EXERCISE:
            yield f"{table.place}.at", f"is only for spoil = {' or '.join(map(repr, AT_AN_EXERCISE))}"
        if table.spoil in AT_AN_EXERCISE and table.at not in questions.exercises:
            yield f"{table.place}.at", f"must be one of {', '.join(questions.exercises)}"


def _strangers(place: str, keys: Collection[str], known: Collection[str]) -> Iterator[tuple[str, str]]:
    return ((f"{place}.{key}", unknown(known)) for key in keys if key not in known)


def _sample_student(table: StudentTable, questions: Questions, essays: dict[str, str]) -> SampleStudent:
    texts = {**essays, **table.essays} if table.solves else table.essays
    return SampleStudent(
        table.name,
        table.solves,
        questions.files(table),
        {question: text.strip() for question, text in texts.items()},
        _corruption(table),
        table.did,
    )


def _corruption(table: StudentTable) -> Callable[[SampleSubmission], None] | None:
    if table.spoil not in AT_AN_EXERCISE:
        return EVERYWHERE.get(table.spoil)
    spoil = AT_AN_EXERCISE[table.spoil]
    return lambda submission: spoil(submission, table.at)


def submission_of(member: SampleStudent, course: Course, assignment: str) -> SampleSubmission:
    """The filled-in notebooks of one student."""
    submission = SampleSubmission.released(course, assignment)
    variant = course.graders(assignment).settings().variants.number()
    if member.solves:
        for exercise, solution in reference_solutions(course, assignment).items():
            submission.cell(exercise).source = solution
    for exercise, path in member.answers.items():
        submission.cell(exercise).source = COMMENT.sub("", fill(path.read_text(), variant))
    for question, text in member.essays.items():
        submission.cell(question).source = text
    if member.spoil is not None:
        member.spoil(submission)
    return submission


def write_class(course: Course, sample: SampleClass) -> None:
    submitted = course.root / "submitted"
    for student, member in zip(sample.students, sample.members, strict=True):
        submission_of(member, course, sample.assignment).write(submitted / student / sample.assignment)
