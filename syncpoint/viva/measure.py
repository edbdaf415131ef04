"""Runs a solution and its changes in the sandbox, like a submission, and measures each change's effects."""

from __future__ import annotations

import functools
import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..check.edits import Edit, statements, stop
from ..check.effects import Difference, Facts, facts
from ..check.what_if import WAIT, WHAT_IF, names_of
from ..core.messages import Message
from ..core.results import ExerciseResult
from ..core.timeline_data import Timeline
from ..core.variants import fill
from ..course.folder import Course
from ..course.visible import VISIBLE_FOLDER
from ..judge.errors import DeadKernelError
from ..judge.grade_notebook import ExerciseGrader
from ..judge.job import Cell, GradingSpec, NotebookJob
from ..judge.notebook_run import NotebookRun
from ..observe.errors import BadReply, NotTested, StudentError
from ..observe.observation import Log
from ..observe.timeline_from_log import timeline
from ..sandbox.judging_lock import JudgingLock
from .changes import Change, changes

MAX_STUDENT_CHANGES = 10  # measured changes for each student
ENOUGH = {"breaks": 2, "others": 2}  # measured answers of each kind that need some knowledge
SECOND = 2  # the seed of the inputs for the second measurement
CHECK = "check_"  # prefix of ids of cells with visible checks


@dataclass(frozen=True)
class Work:
    """The exercises that one student has solved."""

    name: str  # the name of the student, or of a solution of the bank
    jobs: tuple[tuple[str, NotebookJob], ...]  # the notebook of each exercise that is right, by the exercise's name


@dataclass(frozen=True)
class Question:
    """A change of a student's own code, and its measured answer."""

    exercise: str  # its name
    source: str  # the student's cell
    change: Change
    kind: str  # "breaks", "order", "memory" or "nothing"
    answer: tuple[Any, ...]  # the difference of the two runs as plain data
    sentences: tuple[Message, ...]  # the same in words
    before: Timeline | None  # the drawn parts of the two logs
    after: Timeline | None
    # those of the hidden tests that fail on the changed code, once it is confirmed
    misconceptions: tuple[str, ...] = ()
    # whether the answer needs no knowledge of asynchronous work: an exception, or numbers that are simply wrong
    plain: bool = False

    @property
    def name(self) -> str:
        """The name that a teacher uses to pin or drop it."""
        return f"{self.exercise}/{self.change.rule}"

    @property
    def alike(self) -> tuple[str, str]:
        """A value that is equal for two students with the same question."""
        return self.name, self.change.code


@dataclass(frozen=True)
class Lab:
    """An assignment whose exercises can be changed and run."""

    root: Path  # the course's folder
    spec: GradingSpec  # how to judge a submission
    what_ifs: bytes  # the source of the module that calls its exercises

    @classmethod
    def of(cls, course: Course, assignment: str) -> Lab:
        """Return a course's assignment; without a what-if module it has no exercises."""
        path = course.graders(assignment).modules(VISIBLE_FOLDER).get(f"{WHAT_IF}.py")
        return cls(course.root, course.spec(assignment), path.read_bytes() if path else b"")

    @functools.cached_property
    def exercises(self) -> list[str]:
        return names_of(self.what_ifs)

    @functools.cached_property
    def wait(self) -> str:
        """The code that makes the host wait for everything; "" if the module has none."""
        return names_of(self.what_ifs, WAIT)[0] if names_of(self.what_ifs, WAIT) else ""

    def ask(
        self, work: Work, seed: str, most: int = MAX_STUDENT_CHANGES, drops: Callable[[str], bool] = lambda name: False
    ) -> list[Question]:
        """Measure changes of a student's code, at most this many, until there are enough of each kind; return them.

        ``seed`` decides which changes are measured, in which order and with which inputs; ``drops`` says whether
        changes with a name are never asked about.
        """
        rng = random.Random(f"{seed}/{work.name}")
        inputs = rng.randrange(1, 1 << 30)
        found: list[Question] = []
        before: dict[str, Facts | None] = {}
        candidates = [one for one in self._candidates(work) if not drops(f"{one[0]}/{one[2].rule}")]
        for exercise, job, change in list(_mixed(candidates, rng))[:most]:
            if _is_enough(found):
                break
            if exercise not in before:
                before[exercise] = self.run(job, exercise, inputs)
            question = self.question(job, exercise, change, before[exercise], inputs)
            if question is not None:
                found.append(question)
        return found

    def question(
        self, job: NotebookJob, exercise: str, change: Change, before: Facts | None, seed: int
    ) -> Question | None:
        """Measure one change; None if that fails, or if it teaches nothing."""
        if before is None or before.error is not None:
            return None
        after = self.run(with_source(job, exercise, change.edit.source), exercise, seed, change.edit)
        if after is None or _is_trivial(after):
            return None
        difference = Difference(before, after, change.only_waits)
        if difference.kind == "nothing" and not difference.same_operations:
            return None
        if difference.kind == "nothing" and not self._reaches(job, exercise, change.edit.first, seed):
            return None
        failed = after.error is not None
        # Of several threads and of a program that fails, a picture would show one order of many.
        drawn = not (failed or after.threads)
        return Question(
            exercise,
            source_of(job, exercise),
            change,
            difference.kind,
            difference.answer,
            tuple(difference.sentences()),
            timeline(Log(before.events)) if drawn else None,
            timeline(Log(after.events)) if drawn else None,
            plain=failed or (difference.kind == "breaks" and change.plain and not difference.new_races),
        )

    def confirm(self, job: NotebookJob, question: Question) -> tuple[bool, tuple[str, ...]]:
        """Measure a question again with other inputs, and judge the changed code with the hidden tests.

        Returns whether the answer is confirmed, and the misconceptions of the failed tests.  It is confirmed if the
        second measurement gives the same and the hidden tests, which know nothing of the what-if, agree: code that
        breaks loses points, code that behaves the same loses none, and code that stays right computes the right values.
        """
        if self.again(job, question, SECOND) != question.answer:
            return False, ()
        judged = self.judge(with_source(job, question.exercise, question.change.edit.source), question.exercise)
        if judged is None:
            return False, ()
        failed = [test for test in judged.tests if not test.passed]
        about = dict.fromkeys(test.misconception for test in failed if test.misconception)
        if question.kind == "breaks":
            return bool(failed), tuple(about)
        if question.kind == "nothing":
            return not failed, tuple(about)
        return not any(test.value for test in failed), tuple(about)

    def again(self, job: NotebookJob, question: Question, seed: int) -> tuple[Any, ...] | None:
        """Measure a question again, both codes in new kernels and with other inputs; return its answer."""
        before = self.run(job, question.exercise, seed)
        changed = with_source(job, question.exercise, question.change.edit.source)
        after = self.run(changed, question.exercise, seed, question.change.edit)
        return None if before is None or after is None else Difference(before, after).answer

    def _reaches(self, job: NotebookJob, exercise: str, line: int, seed: int) -> bool:
        """Whether the what-if runs the statement in a line; true if unknown."""
        source = source_of(job, exercise)
        stopped = next((stop(source, one) for one in statements(source) if one.is_simple and one.first == line), None)
        if stopped is None:
            return True
        seen = self.run(with_source(job, exercise, stopped.source), exercise, seed)
        return seen is not None and seen.error is not None

    def run(self, job: NotebookJob, exercise: str, seed: int, edit: Edit | None = None) -> Facts | None:
        """Run an exercise by its what-if, in a separate kernel; None if it took too long, or its kernel ended."""
        spec = replace(self.spec, scenarios=fill(self.what_ifs.decode(), job.variant).encode())
        run, place = self._submission(spec, job, exercise)
        try:
            with self._lock.shared(), run:
                run.advance_to(place)
                student = run.student().using(spec.interface).results_gated
                seen = student.observe(exercise, seed=seed)
            if run.lost or not isinstance(seen, dict):
                return None
            return facts(seen, edit.old) if edit is not None else facts(seen)
        except (NotTested, BadReply, DeadKernelError):
            return None
        except StudentError as error:
            return Facts(error=error.message)

    def judge(self, job: NotebookJob, exercise: str) -> ExerciseResult | None:
        """Judge the exercise with its hidden tests, in a separate kernel; None if that shows nothing about the code."""
        run, place = self._submission(self.spec, job, exercise)
        grader = ExerciseGrader.of(self.spec)
        try:
            with self._lock.shared(), run:
                run.advance_to(place)
                result = grader.judge_cell(run, run.notebook.cells[place], job.variant)
        except DeadKernelError:
            return None
        if run.lost or grader.problems:
            return None
        return result.with_words(self.spec.words(f"test_{exercise}"))

    @property
    def _lock(self) -> JudgingLock:
        """Allow parallel judging, but not for a disturbed run, which is repeated alone."""
        return JudgingLock("kernels", longest=2 * self.spec.limits.notebook_seconds)

    def _submission(self, spec: GradingSpec, job: NotebookJob, exercise: str) -> tuple[NotebookRun, int]:
        short = _up_to(job, exercise)
        run = NotebookRun(short.as_notebook(), spec.sandbox_spec(self.root, short.files))
        return run, len(short.cells) - 1

    def _candidates(self, work: Work) -> list[tuple[str, NotebookJob, Change]]:
        return [
            (exercise, job, change)
            for exercise, job in work.jobs
            if exercise in self.exercises
            for change in changes(source_of(job, exercise), self.wait)
        ]


def _is_trivial(after: Facts) -> bool:
    """Whether the change only removed a name before its use."""
    error = after.error.parameters.get("error") if after.error is not None else None
    return isinstance(error, Message) and error.parameters.get("type") in ("NameError", "UnboundLocalError")


def source_of(job: NotebookJob, exercise: str) -> str:
    """Return the code of an exercise's solution cell; "" if the notebook has none."""
    return next((cell.source for cell in job.cells if cell.grade_id == exercise), "")


def with_source(job: NotebookJob, exercise: str, source: str) -> NotebookJob:
    """Return the same notebook with other code in an exercise's solution cell."""
    cells = (replace(cell, source=source) if cell.grade_id == exercise else cell for cell in job.cells)
    return replace(job, cells=tuple(cells))


def _up_to(job: NotebookJob, exercise: str) -> NotebookJob:
    """Return the code cells up to the exercise's tests, without checks and other tests."""
    cells: list[Cell] = []
    for cell in job.cells:
        last = cell.grade_id == f"test_{exercise}"
        tests = cell.grade_id.startswith(CHECK) or (cell.grade and not cell.solution)
        if cell.kind == "code" and (last or not tests):
            cells.append(cell)
        if last:
            break
    return replace(job, cells=tuple(cells))


def _mixed(
    candidates: Sequence[tuple[str, NotebookJob, Change]], rng: random.Random
) -> Iterable[tuple[str, NotebookJob, Change]]:
    """Return the candidates with exercises and rules alternating; calls that order nothing come last."""
    left = list(candidates)
    rng.shuffle(left)
    exercises, rules = Counter[str](), Counter[str]()
    while left:
        _, place = min((_turn(left[at], exercises, rules), at) for at in range(len(left)))
        exercise, job, change = left.pop(place)
        exercises[exercise] += 1
        rules[change.rule] += 1
        yield exercise, job, change


def _turn(
    candidate: tuple[str, NotebookJob, Change], exercises: Counter[str], rules: Counter[str]
) -> tuple[bool, int, int]:
    """The smallest is measured next."""
    exercise, _, change = candidate
    return change.plain and change.rule == "without_call", exercises[exercise], rules[change.rule]


def _is_enough(found: Sequence[Question]) -> bool:
    kinds = Counter("breaks" if question.kind == "breaks" else "others" for question in found if not question.plain)
    return all(kinds[kind] >= count for kind, count in ENOUGH.items())
