"""Vets a bank: several solutions at a time, each in a separate process, on a quiet or a busy machine."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ..course.child_process import SPAWN, end_with_parent
from ..course.errors import CourseError
from ..course.folder import Course
from ..judge.errors import DeadKernelError
from .bank import Solution
from .journal import Journal, keys
from .report import line
from .trial import Trial, try_solution

T = TypeVar("T")
KILLED = "a judging process was killed. Run the same command again; with --journal FILE, finished trials are kept."


def vet(course: Course, bank: list[Solution], repeat: int = 1, jobs: int = 1) -> Iterator[list[Trial]]:
    """Yield the trials of each solution, ``repeat`` each and ``jobs`` at a time, in the order in which they end."""
    yield from in_processes(jobs, [partial(_try, course.root, solution, repeat) for solution in bank])


def go_on(course: Course, bank: list[Solution], repeat: int, jobs: int, journal: Journal) -> Iterator[list[Trial]]:
    """Yield the journal's trials, then new ones, which are added to it, up to ``repeat`` of each."""
    with journal.open() as known:
        key_of = keys(course, bank)
        earlier = {
            solution: [replace(trial, solution=solution) for trial in known.get(key_of[solution], ())]
            for solution in bank
        }
        missing = {solution: repeat - len(trials) for solution, trials in earlier.items()}
        yield from (earlier[solution] for solution in bank if missing[solution] <= 0)
        wanted = [
            partial(_try, course.root, solution, count, (journal, key_of[solution]))
            for solution, count in missing.items()
            if count > 0
        ]
        for trials in in_processes(jobs, wanted):
            yield earlier[trials[0].solution] + trials


def in_processes(jobs: int, calls: Sequence[Callable[[], T]]) -> Iterator[T]:
    """Yield the results of calls in the order in which they end, several at a time, in judging processes."""
    with processes(jobs) as completed:
        yield from completed(calls)


@contextmanager
def processes(jobs: int) -> Iterator[Callable[[Sequence[Callable[[], T]]], Iterator[T]]]:
    """Yield what `in_processes` does, for several rounds in the same judging processes."""
    with ProcessPoolExecutor(jobs, SPAWN, end_with_parent) as pool:

        def completed(calls: Sequence[Callable[[], T]]) -> Iterator[T]:
            for done in as_completed([pool.submit(call) for call in calls]):
                yield done.result()

        try:
            yield completed
        except BrokenProcessPool:
            raise CourseError(KILLED) from None
        finally:
            pool.shutdown(cancel_futures=True)


def _try(root: Path, solution: Solution, repeat: int, where: tuple[Journal, str] | None = None) -> list[Trial]:
    def keep(trial: Trial) -> None:
        if where is not None:
            journal, key = where
            journal.add(key, trial)

    try:
        return try_solution(Course(root), solution, repeat, keep)
    except DeadKernelError as gone:
        raise CourseError(f"{solution.name} was not judged: {gone}. Run the same command again.") from None


def with_a_bar(done: Iterator[T], name: Callable[[T], str], doing: str, count: int, screen: Console) -> Iterator[T]:
    """Yield results as they arrive, with a progress bar that names the last one if there is a terminal."""
    with Progress(
        TextColumn(doing),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[name]}"),
        console=screen,
        disable=not screen.is_terminal,
    ) as bar:
        task = bar.add_task("", total=count, name="")
        for one in done:
            bar.update(task, advance=1, name=name(one))
            yield one


def show_progress(trials: Iterator[list[Trial]], count: int, screen: Console, details: bool) -> list[Trial]:
    """Show each disagreement at once; without a terminal, or with details, a line for each solution."""
    found: list[Trial] = []
    for group in with_a_bar(trials, lambda group: group[0].solution.name, "vetting", count, screen):
        found += group
        shown = next((trial for trial in group if trial.complaint), group[0])
        if shown.complaint or details or not screen.is_terminal:
            screen.print(line(shown), soft_wrap=True)
            for detail in shown.details if details or shown.broke else ():
                screen.print(detail, markup=False, soft_wrap=True, style="dim")
    return found
