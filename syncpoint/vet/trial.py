"""Judges one solution of the bank with the kernel, sandbox, tests and scoring of a submission."""

import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace

from nbformat import NotebookNode
from nbformat.v4 import new_notebook
from nbgrader.utils import determine_grade

from ..core.messages import Message
from ..core.points import LEAST, LEAST_FOR_VALUE
from ..core.results import ExerciseResult, Status
from ..core.variants import fill
from ..course.cells import grade_id
from ..course.folder import Course
from ..judge.cells import is_autograded
from ..judge.grade_notebook import ExerciseGrader
from ..judge.notebook_run import NotebookRun
from ..report.exercise import BARE
from ..report.notebook import put_report
from ..sandbox.judging_lock import JudgingLock
from .bank import Solution, read_text
from .untrue_sentences import Untrue

# The repeats in one kernel share the limits of one notebook.
REPEATS_PER_KERNEL = 20
ROUNDING = 1e-3  # points
SHARE_OF_MEMORY = 1 / 4  # an engine may keep memory of each ended thread: about 5 MB have been seen


@dataclass(frozen=True)
class Trial:
    """The result of judging one solution once."""

    solution: Solution
    score: float  # points as nbgrader reads them from the graded cell
    max_score: float  # points as nbgrader reads them from the graded cell
    tests: dict[str, bool]  # all tests, and whether each passed
    broke: tuple[str, ...]  # tests that are broken themselves
    details: tuple[str, ...]  # the variant, if any, and what failed tests saw
    seconds: float  # for the tests, without the kernel's start
    explained: frozenset[str] = frozenset()  # misconceptions in the report of the failed tests
    acts: tuple[str, ...] = ()  # suspicious acts; an honest solution has none
    core: frozenset[str] = frozenset()  # tests of the property that the exercise is named after
    value: frozenset[str] = frozenset()  # tests of a value that it computes
    untrue: str = ""  # an untrue sentence in the student's report of failed tests; "" if there is none

    @property
    def failed(self) -> frozenset[str]:
        return frozenset(name for name, passed in self.tests.items() if not passed)

    @property
    def misses_the_core(self) -> bool:
        """Whether a core test failed: then less than half of the points remain, else at least half."""
        return not self.core.isdisjoint(self.failed)

    @property
    def least(self) -> float:
        """The share of the points that a wrong solution must lose at least."""
        value = self.solution.wrong_value or not self.value.isdisjoint(self.failed)
        return LEAST_FOR_VALUE if value else LEAST

    @property
    def complaint(self) -> str:
        """Where the verdict differs from the file's own settings; empty if it agrees."""
        kills = self.solution.kills
        if self.broke:
            return f"broke {', '.join(self.broke)}"
        if self.solution.right and self.score != self.max_score:
            return "is right and lost points"
        if not self.solution.right and self.score >= self.max_score:
            return "is wrong and lost no points"
        if not self.solution.right and self.score > self.max_score * (1 - self.least) + ROUNDING:
            return f"has {self.score:g} of {self.max_score:g} points and must lose at least {self.least:.0%}"
        half = self.max_score / 2
        if self.core and (self.score > half if self.misses_the_core else self.score < half):
            failed = ", ".join(sorted(self.failed & self.core)) or "no core test"
            return f"fails {failed} and gets {self.score:g} of {self.max_score:g} points"
        if kills is not None and not kills <= self.tests.keys():
            return f"should fail {', '.join(sorted(kills - self.tests.keys()))}, which is not a test of this exercise"
        if kills is not None and kills != self.failed:
            return f"should fail {', '.join(sorted(kills))} and no other test"
        if self.untrue:
            return f"gets a sentence that cannot be true: {self.untrue}"
        if self.acts:
            return f"is honest, but was flagged: {' '.join(self.acts)}"
        if self.solution.misconception and self.solution.misconception not in self.explained:
            explained = ", ".join(sorted(self.explained)) or "nothing"
            return f"names the misconception {self.solution.misconception}, but its report explains {explained}"
        return ""


def try_solution(
    course: Course, solution: Solution, repeat: int = 1, keep: Callable[[Trial], None] = lambda trial: None
) -> list[Trial]:
    """Judge one solution ``repeat`` times, several times in one kernel.

    As in a class, a trial that other programs may have disturbed is repeated alone. If the assignment has
    variants, each trial has another one.
    """
    lock = JudgingLock("kernels", longest=2 * course.spec(solution.assignment).limits.notebook_seconds)
    trials: list[Trial] = []
    alone = False
    while len(trials) < repeat:
        with lock.exclusive() if alone else lock.shared():
            variant = variant_of(course, solution, len(trials))
            left = 1 if variant else min(repeat - len(trials), REPEATS_PER_KERNEL)
            counted, lost = _in_one_kernel(course, solution, variant, left, keep, lost_counts=alone)
        trials += counted
        alone = lost and not alone
    return trials


def variant_of(course: Course, solution: Solution, number: int = 0) -> str:
    """Return a variant for a solution of the bank: the first follows from its name."""
    first = zlib.crc32(solution.name.encode())
    return course.graders(solution.assignment).settings().variants.number(first + number)


def _in_one_kernel(
    course: Course, solution: Solution, variant: str, repeat: int, keep: Callable[[Trial], None], lost_counts: bool
) -> tuple[list[Trial], bool]:
    """Make trials in one kernel; fewer than requested if it grows or is lost."""
    assignment, identity = solution.assignment, f"test_{solution.exercise}"
    reference = course.source(assignment).notebook(course.source(assignment).notebook_with(identity), variant)
    notebook, place = notebook_for(reference, solution.exercise, fill(read_text(solution.path), variant))
    spec = course.spec(assignment)
    grader, untrue = ExerciseGrader.of(spec), Untrue.of(course.graders(assignment).folder.parent)
    trials: list[Trial] = []
    with NotebookRun(notebook, spec.sandbox_spec(course.root)) as run:
        run.advance_to(place)
        most_bytes = run.sandbox_spec.limits.memory_bytes * SHARE_OF_MEMORY
        while len(trials) < repeat and not run.lost and (not trials or run.kernel.peak_bytes < most_bytes):
            began = time.monotonic()
            exercise = grader.judge_cell(run, notebook.cells[place], variant)
            exercise = exercise.with_words(spec.words(identity))
            put_report(notebook.cells[place], exercise, BARE)
            seconds = time.monotonic() - began
            acts = tuple(str(act.message) for act in run.acts)
            grade = determine_grade(notebook.cells[place])
            if run.lost and not lost_counts:
                break
            trial = _trial(solution, exercise, grade, seconds, acts, grader.problems, untrue)
            trials.append(replace(trial, details=(variant, *trial.details)) if variant else trial)
            keep(trials[-1])
    return trials, bool(run.lost)


def _trial(
    solution: Solution,
    exercise: ExerciseResult,
    grade: tuple[float, float],
    seconds: float,
    acts: tuple[str, ...],
    problems: list[Message],
    untrue: Untrue,
) -> Trial:
    failed = [f"{o.name}: {o.message or ''}\n{o.detail}" for o in exercise.tests if not o.passed]
    return Trial(
        solution,
        score=grade[0],
        max_score=grade[1],
        tests={test.name: test.passed for test in exercise.tests},
        broke=tuple(test.name for test in exercise.tests if test.status is Status.ERROR),
        details=(*map(str, problems), *map(str, exercise.notes), *failed),
        seconds=seconds,
        explained=frozenset(o.misconception for o in exercise.tests if o.misconception and not o.passed),
        acts=acts,
        core=frozenset(test.name for test in exercise.tests if test.core),
        value=frozenset(test.name for test in exercise.tests if test.value),
        untrue=next(untrue.among(str(test.message or "") for test in exercise.tests if not test.passed), ""),
    )


def notebook_for(reference: NotebookNode, exercise: str, solution: str, last: str = "") -> tuple[NotebookNode, int]:
    """Return the notebook up to a cell, with the solution in place, and that cell's index.

    The default is the exercise's grade cell. Given code and the other exercises' solutions stay, since a grader may
    need them. Demonstrations (cells without a grade id), visible checks and grade cells are left out, but for the last.
    """
    notebook, last = new_notebook(metadata=reference.metadata), last or f"test_{exercise}"
    for cell in reference.cells:
        identity = grade_id(cell)
        if identity == exercise:
            cell.source = solution
        tests = identity.startswith("check_") or is_autograded(cell)
        if cell.cell_type == "code" and (identity == last or (identity and not tests)):
            notebook.cells.append(cell)
        if identity == last:
            break
    return notebook, len(notebook.cells) - 1
