"""What of a bank is vetted, and the vetting of it: first the solutions, then the cheats."""

from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from ..course.folder import Course
from . import cheat_report, checks, report, run
from .bank import Solution, only_listed, read_bank
from .cheat_report import CheatReport
from .cheats import read_cheats
from .journal import Journal
from .report import Report


@dataclass(frozen=True)
class Choice:
    """What is wanted of a bank; nothing named is everything.

    Attributes:
        bank: The folder; None for the banks of the course.
        only: A part of the names of files.
        listing: The name of a list of solutions.
    """

    bank: Path | None = None
    assignment: str = ""
    exercises: tuple[str, ...] = ()
    only: str = ""
    listing: str = ""

    @property
    def names_solutions(self) -> bool:
        """Whether single exercises or solutions are meant: a cheat is a whole submission."""
        return bool(self.exercises or self.listing)

    @property
    def cuts_exercises(self) -> bool:
        """Whether a part of an exercise's solutions is left out: the rest says nothing about its tests."""
        return bool(self.only or self.listing)


def vet_solutions(
    course: Course, choice: Choice, repeat: int, jobs: int, screen: Console, onto: Path | None = None
) -> Report | None:
    """Judge the solutions and show what was found.

    Args:
        course: Theirs.
        choice: Which ones.
        repeat: How often each.
        jobs: How many at a time.
        screen: Shows them.
        onto: A file that keeps each trial, and what earlier ones have kept there counts.

    Returns:
        What was found; None if the bank has none of those that are wanted.
    """
    solutions = _chosen(course, choice)
    if not solutions:
        return None
    jobs = min(jobs, len(solutions))
    if onto is None:
        trials = run.vet(course, solutions, repeat, jobs)
    else:
        trials = run.go_on(course, solutions, repeat, jobs, Journal(onto))
    found = Report(tuple(run.show_progress(trials, len(solutions), screen, details=bool(choice.only))))
    if not choice.cuts_exercises:
        screen.print(report.render_idle_tests(found))
    screen.print(report.render_unexplained(found))
    if onto is not None:
        screen.print(report.render_sums(found))
    screen.print(report.render(found))
    return found


def vet_checks(course: Course, choice: Choice, jobs: int, screen: Console) -> bool | None:
    """Whether all right solutions pass the visible check of their notebook; None if there is none of those wanted."""
    solutions = [solution for solution in _chosen(course, choice) if solution.right]
    if not solutions:
        return None
    return checks.show(checks.check_all(course, solutions, min(jobs, len(solutions))), len(solutions), screen)


def _chosen(course: Course, choice: Choice) -> list[Solution]:
    solutions = read_bank(choice.bank, course, choice.assignment, choice.exercises)
    if choice.listing:
        solutions = only_listed(solutions, choice.listing)
    return [solution for solution in solutions if choice.only in solution.path.name]


def vet_cheats(course: Course, choice: Choice, jobs: int, screen: Console) -> CheatReport | None:
    """Grade the cheats and show what was found; None if the bank has none of those that are wanted."""
    cheats = [cheat for cheat in read_cheats(choice.bank, course, choice.assignment) if choice.only in cheat.name]
    return cheat_report.vet(course, cheats, jobs, screen) if cheats else None
