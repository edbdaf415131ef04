"""The report of a bench: the same sheets as tables on the screen and as Markdown for docs/performance.md."""

import statistics
from collections.abc import Iterator
from dataclasses import dataclass

from rich import box
from rich.table import Table
from rich.text import Text

from .figures import Figures, How, Parts, Run
from .goals import goals, median

JUDGE_TARGET = 1.0  # seconds of one submission
GOOD, BAD = ("green", "\N{CHECK MARK}"), ("red", "\N{BALLOT X}")
NAMES: dict[How, str] = {
    "stock": "stock nbgrader",
    "otter": "Otter",
    "cold": "Syncpoint, new class",
    "warm": "Syncpoint, --force",
    "unchanged": "Syncpoint, unchanged",
}


@dataclass(frozen=True)
class Cell:
    """One figure.  met: whether it holds its goal; None if it has none."""

    text: str
    met: bool | None = None


@dataclass(frozen=True)
class Sheet:
    """One table.  The first column holds words, the others figures."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def sheets(figures: Figures) -> Iterator[Sheet]:
    """All tables of a bench."""
    held = [(Cell(goal.words), Cell(goal.wanted), Cell(goal.seen, goal.met)) for goal in goals(figures)]
    yield Sheet("Goals, for two cores with sandbox and graders on", ("goal", "wanted", "seen"), tuple(held))
    for assignment in figures.assignments():
        yield _rates(figures, assignment)
    yield _work(figures)
    yield _parts(figures.parts)


def machine(figures: Figures) -> str:
    """Where and how the figures were taken, in a sentence or two."""
    here = figures.machine
    return (
        f"{here.cores} cores ({here.processor}), {here.memory_gib:.0f} GiB, {here.system}, Python {here.python}, "
        f"load {here.load:.1f} at the start, {here.when:%Y-%m-%d %H:%M} UTC: `{figures.command}`."
    )


# --- the sheets -----------------------------------------------------------------------------------------------------


def _rates(figures: Figures, assignment: str) -> Sheet:
    columns = ("submissions", "workers", "rounds", "a minute", "x stock", "steady", "CPU s", "MiB", "worker")
    found: dict[tuple[How, int, int], list[Run]] = {}
    for how in NAMES:
        for run in figures.select(assignment, how):
            found.setdefault((run.how, run.submissions, run.workers), []).append(run)
    ordered = sorted(found.items(), key=lambda item: (list(NAMES).index(item[0][0]), item[0][1:]))
    rows = tuple((Cell(NAMES[how]), *_rate_cells(figures, runs)) for (how, _, _), runs in ordered)
    what = "medians of the rounds" if any(len(runs) > 1 for runs in found.values()) else "one round"
    return Sheet(f"{assignment}: {what}", ("graded by", *columns), rows)


def _rate_cells(figures: Figures, runs: list[Run]) -> Iterator[Cell]:
    first, ratio = runs[0], figures.ratio(runs)
    yield Cell(f"{first.submissions:,}")
    yield Cell(str(first.workers))
    yield Cell(str(len(runs)))
    yield Cell(f"{median(runs, lambda run: run.rate):.1f}")
    yield Cell(f"{ratio:.2f}" if ratio is not None and first.how != "stock" else "")
    yield Cell(f"{median(runs, lambda run: run.steady_rate):.1f}" if first.finished else "")
    yield Cell(f"{median(runs, lambda run: run.cpu_each):.2f}")
    yield Cell(f"{max(run.peak.coordinator for run in runs):.0f}")
    yield Cell(f"{max(run.peak.worker for run in runs):.0f}")


def _work(figures: Figures) -> Sheet:
    rows = []
    for assignment in figures.assignments():
        bare = [run.cost for run in figures.bare if run.assignment == assignment]
        seen = [seconds for run in figures.select(assignment, "cold") for seconds in run.work]
        ours = [run.cpu_each for run in figures.select(assignment, "cold")]
        measured = ([cost.cells for cost in bare], [cost.process for cost in bare], seen, ours)
        middles = [f"{statistics.median(seconds):.2f} s" if seconds else "" for seconds in measured]
        rows.append((Cell(assignment), *map(Cell, middles)))
    columns = ("cells, bare", "with start and import", "cells and tests' calls, in our kernel", "syncpoint grade, all")
    return Sheet("Processor time of one submission", ("assignment", *columns), tuple(rows))


def _parts(parts: tuple[Parts, ...]) -> Sheet:
    columns = ("seconds", "budget", "start", "cells, tests", "stop", "judge", "MiB, kernel", "budget", "points")
    rows = []
    for part in parts:
        cost, budget = part.cost, part.budget
        rows.append(
            (
                Cell(part.assignment),
                Cell(f"{part.seconds:.2f}", part.seconds <= budget.seconds if budget else None),
                Cell(f"<= {budget.seconds:g}" if budget else ""),
                Cell(f"{cost.kernel_start:.2f}"),
                Cell(f"{cost.kernel_busy:.2f}"),
                Cell(f"{cost.kernel_stop:.2f}"),
                Cell(f"{cost.judge:.2f}", cost.judge < JUDGE_TARGET),
                Cell(f"{cost.peak_mib:.0f}", cost.peak_mib <= budget.memory_mib if budget else None),
                Cell(f"<= {budget.memory_mib:g}" if budget else ""),
                Cell(f"{part.points:.0%}", part.points == 1),
            )
        )
    title = f"Where one submission's seconds go (the judge's own share: less than {JUDGE_TARGET:g} s)"
    return Sheet(title, ("assignment", *columns), tuple(rows))


# --- as a table, as Markdown ----------------------------------------------------------------------------------------


def table(sheet: Sheet) -> Table:
    """The sheet for the screen: green holds its goal, red does not."""
    shown = Table(box=box.SIMPLE_HEAD, pad_edge=False, title=sheet.title, title_justify="left")
    for index, column in enumerate(sheet.columns):
        shown.add_column(column, justify="right" if index else "left")
    for row in sheet.rows:
        shown.add_row(*map(_coloured, row))
    return shown


def markdown(figures: Figures) -> str:
    """All sheets as Markdown."""
    lines = [machine(figures), ""]
    for sheet in sheets(figures):
        lines += [f"### {sheet.title}", "", _line(sheet.columns), _line(["---", *["---:"] * (len(sheet.columns) - 1)])]
        lines += [_line([_marked(cell) for cell in row]) for row in sheet.rows]
        lines.append("")
    return "\n".join([*lines, *figures.rest, ""]).rstrip() + "\n"


def _line(cells: list[str] | tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"


def _coloured(cell: Cell) -> Text:
    colour = "" if cell.met is None else GOOD[0] if cell.met else BAD[0]
    return Text(_marked(cell), style=colour)


def _marked(cell: Cell) -> str:
    """The text with a sign, for whoever sees no colours."""
    if cell.met is None:
        return cell.text
    _, sign = GOOD if cell.met else BAD
    return f"{sign} {cell.text}"
