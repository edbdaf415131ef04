"""The sample class of an assignment, read from its class.toml: who sits in it, and what grading them may cost."""

import re
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from pathlib import Path

from ..judge.course import Course, CourseError
from ..sandbox.world import Limits
from .mischief import AT_AN_EXERCISE, EVERYWHERE
from .papers import Papers, reference_solutions
from .toml_table import TomlTable

PREFIX = "demo_"
# Lines that say what is right or wrong about a solution are for those who look after the bank.
COMMENT = re.compile(r"\A(?:#.*\n|\s*\n)+")


@dataclass(frozen=True)
class Budget:
    """What grading one submission may cost: seconds of wall clock, and MiB of its kernel."""

    seconds: float
    memory_mib: float


@dataclass(frozen=True)
class Pupil:
    """One student.

    solves: whether the reference solution stands wherever nothing else is said; else the released cell does.
    answers: the bank's file for an exercise.  essays: the texts for written questions.
    spoil: what happens to the papers afterwards.  did: what is told of them; "" for those whom only ``--all`` shows.
    """

    name: str
    solves: bool
    answers: dict[str, Path]
    essays: dict[str, str]
    spoil: Callable[[Papers], None] | None
    did: str = ""


@dataclass(frozen=True)
class SampleClass:
    """The class of one assignment.  limits: settings of GradeSubmission that differ from the course's."""

    assignment: str
    budget: Budget
    limits: dict[str, float]
    pupils: tuple[Pupil, ...]

    @property
    def students(self) -> list[str]:
        """Their names as nbgrader knows them."""
        return [f"{PREFIX}{pupil.name}" for pupil in self.pupils]

    @property
    def telling(self) -> "SampleClass":
        """The few of whom something is told; everybody, if nothing is told of anybody."""
        return replace(self, pupils=tuple(pupil for pupil in self.pupils if pupil.did) or self.pupils)


@dataclass(frozen=True)
class Questions:
    """What an assignment asks: exercises, and questions with a written answer."""

    bank: Path
    exercises: tuple[str, ...]
    written: tuple[str, ...]

    @classmethod
    def of(cls, course: Course, assignment: str) -> "Questions":
        """Those of the instructor's notebooks."""
        written = course.graded_cells(assignment).keys() - course.exercises(assignment).keys()
        solutions = reference_solutions(course, assignment)
        return cls(course.bank / assignment, tuple(solutions), tuple(sorted(written)))


def class_file(course: Course, assignment: str) -> Path:
    """The file that describes the class of an assignment."""
    return course.bank / assignment / "class.toml"


def assignments_with_a_class(course: Course) -> list[str]:
    """Every assignment that has a class.toml.  Raises CourseError if none has."""
    found = sorted(path.parent.name for path in course.bank.glob("*/class.toml"))
    if not found:
        raise CourseError(f"{class_file(course, '<assignment>')} is missing: no assignment has a sample class.")
    return found


def read_class(course: Course, assignment: str) -> SampleClass:
    """Read and check the class of an assignment.  Raises CourseError that names file and key."""
    file = TomlTable.read(class_file(course, assignment))
    file.only("budget", "limits", "essays", "students")
    budget = file.table("budget")
    budget.only("seconds", "memory_mib")
    limits = file.table("limits")
    limits.only(*(field.name for field in fields(Limits)))
    questions = Questions.of(course, assignment)
    essays = _essays(file, questions)
    pupils = tuple(_pupil(table, questions, essays) for table in file.tables("students"))
    if not pupils:
        raise file.problem("students", "must hold at least one student")
    names = [pupil.name for pupil in pupils]
    for name in names:
        if names.count(name) > 1:
            raise file.problem("students", f"holds {name} twice")
    return SampleClass(
        assignment,
        Budget(budget.number("seconds"), budget.number("memory_mib")),
        {key: limits.number(key) for key in limits.values},
        pupils,
    )


def _pupil(table: TomlTable, questions: Questions, essays: dict[str, str]) -> Pupil:
    table.only("name", "solves", "answers", "essays", "spoil", "at", "did")
    name, solves = table.get("name", str), table.get("solves", bool, True)
    if not re.fullmatch(r"[a-z0-9_]+", name):
        raise table.problem("name", "must be made of a-z, 0-9 and _")
    own_essays = _essays(table, questions)
    return Pupil(
        name,
        solves,
        _answers(table.table("answers"), questions),
        {**essays, **own_essays} if solves else own_essays,
        _spoiler(table, questions),
        table.get("did", str, ""),
    )


def _answers(table: TomlTable, questions: Questions) -> dict[str, Path]:
    table.only(*questions.exercises)
    found = {key: questions.bank / key / f"{table.get(key, str)}.py" for key in table.values}
    for key, path in found.items():
        if not path.is_file():
            raise table.problem(key, f"names {path}, which is missing")
    return found


def _essays(table: TomlTable, questions: Questions) -> dict[str, str]:
    essays = table.table("essays")
    essays.only(*questions.written)
    return {key: essays.get(key, str).strip() for key in essays.values}


def _spoiler(table: TomlTable, questions: Questions) -> Callable[[Papers], None] | None:
    name, exercise = table.get("spoil", str, ""), table.get("at", str, "")
    if name and name not in {**AT_AN_EXERCISE, **EVERYWHERE}:
        raise table.problem("spoil", f"is not known; there are {', '.join([*AT_AN_EXERCISE, *EVERYWHERE])}")
    if name not in AT_AN_EXERCISE:
        if exercise:
            raise table.problem("at", "says where, but nothing is spoilt at one exercise")
        return EVERYWHERE.get(name)
    if exercise not in questions.exercises:
        raise table.problem("at", f"must be one of {', '.join(questions.exercises)}")
    spoil = AT_AN_EXERCISE[name]
    return lambda papers: spoil(papers, exercise)


def papers_of(pupil: Pupil, course: Course, assignment: str) -> Papers:
    """The filled-in notebooks of one student."""
    papers = Papers.released(course, assignment)
    if pupil.solves:
        for exercise, solution in reference_solutions(course, assignment).items():
            papers.cell(exercise).source = solution
    for exercise, path in pupil.answers.items():
        papers.cell(exercise).source = COMMENT.sub("", path.read_text())
    for question, text in pupil.essays.items():
        papers.cell(question).source = text
    if pupil.spoil is not None:
        pupil.spoil(papers)
    return papers


def write_class(course: Course, sample: SampleClass) -> None:
    """Write everybody's submission."""
    submitted = course.root / "submitted"
    for student, pupil in zip(sample.students, sample.pupils, strict=True):
        papers_of(pupil, course, sample.assignment).write(submitted / student / sample.assignment)
