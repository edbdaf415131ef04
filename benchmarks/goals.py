"""The goals: what grading a class shall cost on two cores with sandbox and graders on, and what was seen."""

import statistics
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from .figures import Figures, Run
from .plan import RATES
from .trivial import TRIVIAL

NOT_MEASURED = "not measured"
SMALL_CLASS, CLASS, LARGE_CLASS = 20, 100, 1000


@dataclass(frozen=True)
class Goal:
    """One goal.  met: None if it was not measured."""

    words: str
    wanted: str
    seen: str
    met: bool | None


def goals(figures: Figures) -> list[Goal]:
    """Every goal, beside the figure."""
    return [
        *(_faster(figures, assignment, times) for assignment, times in RATES.items()),
        _small_class(figures, 6.0),
        _alone(figures, 1.2),
        _each(figures, 0.19),
        *_work(figures, "multi_gpu", 1.25),
        _flat(figures, "coordinator"),
        _flat(figures, "worker"),
        _constant(figures),
        _unchanged(figures, LARGE_CLASS, 20.0),
        _unchanged(figures, SMALL_CLASS, 2.0),
    ]


def typical(runs: Iterable[Run]) -> list[Run]:
    """Of these runs those with most rounds, and of those the largest class with most workers."""
    sorts: dict[tuple[int, int], list[Run]] = {}
    for run in runs:
        sorts.setdefault((run.submissions, run.workers), []).append(run)
    return max(sorts.items(), key=lambda sort: (len(sort[1]), sort[0]), default=((0, 0), []))[1]


def median(runs: Iterable[Run], figure: Callable[[Run], float]) -> float | None:
    """The median of a figure of these runs; None if there is no run."""
    seen = [figure(run) for run in runs]
    return statistics.median(seen) if seen else None


def _at_least(words: str, wanted: float, seen: float | None, form: str) -> Goal:
    return Goal(words, f">= {form.format(wanted)}", *_held(seen, form, seen is not None and seen >= wanted))


def _at_most(words: str, wanted: float, seen: float | None, form: str) -> Goal:
    return Goal(words, f"<= {form.format(wanted)}", *_held(seen, form, seen is not None and seen <= wanted))


def _held(seen: float | None, form: str, met: bool) -> tuple[str, bool | None]:
    return (NOT_MEASURED, None) if seen is None else (form.format(seen), met)


def _of(runs: list[Run]) -> str:
    return f" ({runs[0].submissions} submissions, {runs[0].workers} at a time)" if runs else ""


def _faster(figures: Figures, assignment: str, times: float) -> Goal:
    runs = typical(figures.select(assignment, "cold"))
    words = f"{assignment}: rate of a new class against stock nbgrader's{_of(runs)}"
    return _at_least(words, times, figures.ratio(runs), "{:.3g} x")


def _small_class(figures: Figures, times: float) -> Goal:
    runs = _largest(figures.select(TRIVIAL, "cold", SMALL_CLASS))
    words = (
        f"{TRIVIAL}: rate of a class of {SMALL_CLASS}, our start included, against stock nbgrader's without its start"
    )
    return _at_least(words, times, figures.ratio(runs), "{:.3g} x")


def _alone(figures: Figures, times: float) -> Goal:
    """The seconds of a command that judges one student again, against stock nbgrader's for one."""
    stock = {run.round: run.wall for run in figures.select(TRIVIAL, "stock", 1)}
    ours = [run for run in _largest(figures.select(TRIVIAL, "warm", 1)) if run.round in stock]
    words = f"{TRIVIAL}: seconds of one student judged again against stock nbgrader's, both with their start"
    return _at_most(words, times, median(ours, lambda run: run.wall / stock[run.round]), "{:.2f} x")


def _each(figures: Figures, seconds: float) -> Goal:
    runs = _largest(figures.select(TRIVIAL, "cold", LARGE_CLASS))
    words = f"{TRIVIAL}: processor time of each of {LARGE_CLASS:,} submissions, of all processes"
    return _at_most(words, seconds, median(runs, lambda run: run.cpu_each), "{:.3f} s")


def _work(figures: Figures, assignment: str, times: float) -> list[Goal]:
    """The processor time of a submission against the work, in the three ways in which one can count the work."""
    runs = _largest(figures.select(assignment, "cold"))
    ours = median(runs, lambda run: run.cpu_each)
    bare = [run.cost for run in figures.bare if run.assignment == assignment]
    kernels = [statistics.median(run.work) for run in runs if run.work]
    work = {
        "its cells alone": [cost.cells for cost in bare],
        "its cells, and what the tests ask of its functions": kernels,
        "its cells in a process that starts Python and imports the engine": [cost.process for cost in bare],
    }
    return [
        _at_most(
            f"{assignment}: processor time of a submission against {words}{_of(runs)}",
            times,
            None if ours is None or not seconds else ours / statistics.median(seconds),
            "{:.3g} x",
        )
        for words, seconds in work.items()
    ]


def _largest(runs: list[Run]) -> list[Run]:
    size = max(((run.submissions, run.workers) for run in runs), default=None)
    return [run for run in runs if (run.submissions, run.workers) == size]


def _pair(figures: Figures, figure: Callable[[Run], float]) -> float | None:
    """The figure of a large class as a share of that of a class, with most workers."""
    both = [_largest(figures.select(TRIVIAL, "cold", size)) for size in (CLASS, LARGE_CLASS)]
    small, large = (median(runs, figure) for runs in both)
    return large / small if large is not None and small else None


def _flat(figures: Figures, role: str) -> Goal:
    words = f"{TRIVIAL}: most memory of the {role}, {LARGE_CLASS:,} submissions against {CLASS}"
    return _at_most(words, 1.2, _pair(figures, lambda run: getattr(run.peak, role)), "{:.2f} x")


def _constant(figures: Figures) -> Goal:
    words = f"{TRIVIAL}: rate without the start, {LARGE_CLASS:,} submissions against {CLASS}"
    return _at_least(words, 0.9, _pair(figures, lambda run: run.steady_rate), "{:.2f} x")


def _unchanged(figures: Figures, size: int, seconds: float) -> Goal:
    runs = _largest(figures.select(TRIVIAL, "unchanged", size))
    words = f"{TRIVIAL}: {size:,} submissions once more, nothing changed"
    return _at_most(words, seconds, median(runs, lambda run: run.wall), "{:.3g} s")
