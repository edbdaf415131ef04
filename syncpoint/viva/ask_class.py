"""Asks a class: reads the submissions, measures changes of each student's code, and chooses the questions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook
from sqlalchemy import select

from ..core.errors import SyncpointError
from ..course.folder import Course
from ..grading.read_submissions import reader_of
from ..records.gradebook import open_gradebook
from ..records.read_results import notebook_result
from ..records.tables import NotebookRecord
from ..vet.vet_bank import processes
from .choose import choose
from .measure import Lab, Question, Work
from .own_questions import Choice, read_choice

NO_WHAT_IF = (
    "{assignment} does not say how its exercises are called: write grader_tests/{assignment}/visible/what_if.py, or "
    "questions into grader_tests/{assignment}/viva.toml."
)
ROUNDS = 4  # rounds to replace questions that the hidden tests do not confirm


@dataclass(frozen=True)
class Asked:
    """The questions of a class."""

    # the questions of each student, in the order of the roster, confirmed by the hidden tests
    questions: Mapping[str, list[Question]]
    work: Mapping[str, Work]  # each student's solved exercises
    notes: tuple[str, ...] = ()  # sentences for the teacher on who is not asked, and why
    unconfirmed: int = 0  # how many measured answers the hidden tests did not confirm; they are not asked


def ask_class(
    course: Course,
    assignment: str,
    students: Sequence[str],
    seed: str,
    jobs: int,
    show: Callable[[str], None],
    without: Collection[str] = (),
) -> Asked:
    """Ask everybody, or some students, about what they got right, or raise SyncpointError if nobody can be asked."""
    course.check_assignment(assignment)
    choice = read_choice(course, assignment)
    lab = Lab.of(course, assignment)
    if not lab.exercises and not choice.prepared:
        raise SyncpointError(NO_WHAT_IF.format(assignment=assignment))
    works, notes = _works(course, assignment, students)
    works = [work for work in works if work.name not in without]
    if not works and not without:
        raise SyncpointError(" ".join([f"nobody can be asked about {assignment}.", *notes]))
    with processes(jobs) as do:
        asked = ask(course, assignment, works, seed, choice, do, show)
    return replace(asked, notes=tuple(notes))


def ask(
    course: Course,
    assignment: str,
    works: Sequence[Work],
    seed: str,
    choice: Choice,
    do: Callable[[Sequence[Callable[[], Any]]], Iterator[Any]],
    show: Callable[[str], None] = lambda line: None,
) -> Asked:
    """Measure changes of everybody's code, choose three each, and let the hidden tests confirm them."""
    by_name = {work.name: work for work in works}
    pools: dict[str, list[Question]] = {name: [] for name in by_name}
    for name, found in do([partial(_measure, course.root, assignment, one, seed) for one in works]):
        pools[name] = found
        show(f"{name}: {len(found)} changes measured")
    confirmed: dict[tuple[str, tuple[str, str]], Question] = {}
    unconfirmed = 0
    for _ in range(ROUNDS):
        chosen = choose(pools, seed, choice)
        left = [
            (name, question)
            for name, some in chosen.items()
            for question in some
            if (name, question.alike) not in confirmed
        ]
        if not left:
            break
        calls = [partial(_confirm, course.root, assignment, by_name[name], question) for name, question in left]
        for name, question, is_right in do(calls):
            show(f"{name}: {question.name} {'confirmed' if is_right else 'not confirmed'}")
            unconfirmed += not is_right
            others = [one for one in pools[name] if one.alike != question.alike]
            pools[name] = [*others, question] if is_right else others
            if is_right:
                confirmed[name, question.alike] = question
    sure = {name: [one for one in pool if (name, one.alike) in confirmed] for name, pool in pools.items()}
    return Asked(choose(sure, seed, choice), by_name, unconfirmed=unconfirmed)


def _measure(root: Path, assignment: str, work: Work, seed: str) -> tuple[str, list[Question]]:
    course = Course(root)
    drops = read_choice(course, assignment).drops
    return work.name, Lab.of(course, assignment).ask(work, seed, drops=drops)


def _confirm(root: Path, assignment: str, work: Work, question: Question) -> tuple[str, Question, bool]:
    lab = Lab.of(Course(root), assignment)
    is_right, about = lab.confirm(dict(work.jobs)[question.exercise], question)
    return work.name, replace(question, misconceptions=about), is_right


def _works(course: Course, assignment: str, students: Sequence[str]) -> tuple[list[Work], list[str]]:
    """Return what each student got right, in roster order, and who cannot be asked."""
    reader, works, notes = reader_of(course, assignment), [], []
    with open_gradebook(course) as gradebook:
        right = _right(gradebook, assignment)
        roster = [student.id for student in gradebook.students]
    by_student = {submission.student: submission for submission in reader.everybody()}
    unknown = [student for student in students if student not in by_student]
    notes += [f"{student} has submitted nothing." for student in unknown]
    ordered = sorted(by_student, key=lambda name: (roster.index(name) if name in roster else len(roster), name))
    for student in ordered:
        if students and student not in students:
            continue
        solved = right.get(student)
        if solved is None:
            notes.append(f"{student} is not graded: run `syncpoint grade {assignment}`.")
            continue
        try:
            jobs = reader.read(by_student[student])
        except Exception as problem:  # one bad folder must not stop the others
            notes.append(f"{student}: the submission cannot be read ({problem}).")
            continue
        mine = tuple((exercise, jobs[key]) for key, exercise in solved if key in jobs)
        if len(mine) < len(solved):
            notes.append(f"{student} has submitted again since the last grading: run `syncpoint grade {assignment}`.")
        if mine:
            works.append(Work(student, mine))
        else:
            notes.append(f"{student} has no exercise right.")
    return works, notes


def _right(gradebook: Gradebook, assignment: str) -> dict[str, list[tuple[str, str]]]:
    """Return each graded student's exercises with all points, each with the key of its notebook's result."""
    found: dict[str, list[tuple[str, str]]] = {}
    rows = gradebook.db.scalars(select(NotebookRecord).where(NotebookRecord.assignment == assignment))
    for record in rows:
        mine = found.setdefault(record.student, [])
        for exercise in notebook_result(record).exercises:
            if exercise.tests and all(test.passed for test in exercise.tests):
                mine.append((record.result_key, exercise.name.removeprefix("test_")))
    return found
