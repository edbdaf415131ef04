"""Chooses parts of a bank by name, and vets them."""

from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TypeVar

from rich.console import Console

from ..core.names import did_you_mean
from ..course.errors import CourseError
from ..course.folder import Course
from . import cheat_report, checks, report, vet_bank
from .bank import Solution, read_bank, unbroken
from .cheat import Cheat
from .cheat_bank import read_cheats
from .cheat_report import CheatReport
from .journal import Journal
from .report import Report

Item = TypeVar("Item", Solution, Cheat)


def choose(items: Sequence[Item], patterns: Sequence[str], bank: Path | None) -> list[Item]:
    """Return the items that match a pattern such as ``async``, ``async/loops``, ``*/loops`` or ``async/loops/05_ok*``.

    Without a pattern, all are returned. Messages name the folder of the bank.

    Raises:
        CourseError: For a pattern that matches nothing, and if there is nothing at all.
    """
    shown = bank or "grader_tests"
    labels = [_labels(item) for item in items]
    names = set().union(*labels)
    for pattern in patterns:
        if not any(fnmatchcase(name, pattern.removesuffix(".py")) for name in names):
            then = did_you_mean(pattern, names) or f"; see {shown} for what it has."
            raise CourseError(f"nothing to vet: the bank has no {pattern}{then}")
    chosen = [
        item
        for item, own in zip(items, labels, strict=True)
        if not patterns or any(fnmatchcase(name, pattern.removesuffix(".py")) for name in own for pattern in patterns)
    ]
    if not chosen:
        raise CourseError(f"nothing to vet: there are none below {shown}.")
    return chosen


def vet_solutions(
    course: Course,
    bank: Path | None,
    patterns: Sequence[str],
    repeat: int,
    jobs: int,
    screen: Console,
    journal: Path | None = None,
) -> Report:
    """Judge the chosen solutions ``repeat`` times, ``jobs`` at a time, and show the results.

    If single files are named, the observations of failed tests are shown. Trials in the journal count, and new ones are
    added to it.
    """
    solutions = choose(read_bank(bank, course), patterns, bank)
    jobs = min(jobs, len(solutions))
    if journal is None:
        trials = vet_bank.vet(course, solutions, repeat, jobs)
    else:
        trials = vet_bank.go_on(course, solutions, repeat, jobs, Journal(journal))
    files_named = any(pattern.count("/") > 1 for pattern in patterns)
    found = Report(tuple(vet_bank.show_progress(trials, len(solutions), screen, details=files_named)))
    if not files_named:
        screen.print(report.render_idle_tests(found))
        screen.print(*unbroken(solutions, course), sep="\n", style="yellow", markup=False, soft_wrap=True)
    screen.print(report.render_unexplained(found))
    if journal is not None:
        screen.print(report.render_sums(found))
    screen.print(report.render(found))
    return found


def vet_checks(course: Course, bank: Path | None, patterns: Sequence[str], jobs: int, screen: Console) -> bool:
    """Return whether all chosen right solutions pass the visible check of their notebook."""
    right: list[Solution] = choose([found for found in read_bank(bank, course) if found.right], patterns, bank)
    return checks.show(checks.check_all(course, right, min(jobs, len(right))), len(right), screen)


def vet_cheats(course: Course, bank: Path | None, patterns: Sequence[str], jobs: int, screen: Console) -> CheatReport:
    return cheat_report.vet(course, choose(read_cheats(bank, course), patterns, bank), jobs, screen)


def _labels(item: Solution | Cheat) -> set[str]:
    """Return the names that choose an item: ``a/b/c``, ``a/b``, ``a``, and its assignment."""
    parts = item.name.split("/")
    return {item.assignment} | {"/".join(parts[: count + 1]) for count in range(len(parts))}
