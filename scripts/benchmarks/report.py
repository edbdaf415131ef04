"""The report of a bench: goals and medians, as tables on the screen and in Markdown, and the page of the docs."""

import platform
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd
import psutil
from rich import box
from rich.console import Console
from rich.table import Table

from syncpoint.cli.options import CORES
from syncpoint.course.errors import CourseError
from syncpoint.course.folder import Course

from .classes import TRIVIAL

PLOT = Path(__file__).with_name("plot.py")  # run by the engine's Python, because ours has no matplotlib
PAGE, PICTURE = "docs/results/performance.md", "docs/images/performance.png"
BEGIN, END = "<!-- figures of make bench: begin -->", "<!-- figures of make bench: end -->"
ALT = "Bars of how many submissions a minute each grader grades, by assignment, as in the tables below"
NAMES = {"stock": "stock nbgrader", "otter": "Otter", "cold": "new class", "warm": "--force", "unchanged": "unchanged"}
# Wanted rates, as multiples of stock nbgrader's steady rate: with our start, and without it.
RATES = {TRIVIAL: 18, "async": 3, "torch_async": 5}
STEADY = dict.fromkeys(("torch_async", "torch_streams", "torch_parallel", "torch_memory"), 5)
WHOLE = ("submissions", "workers", "round")  # integer columns of runs
JUDGE_SECONDS = 1.0  # the judge's own share of one submission


@dataclass(frozen=True)
class Sheet:
    """One table; its first column holds words, the others figures."""

    title: str
    rows: list[dict[str, str]]


def table_of(runs: list[dict[str, Any]]) -> pd.DataFrame:
    """Return the runs with derived figures: rates, and the ratio to stock nbgrader's steady rate in the same round."""
    found = pd.DataFrame(runs)
    found = found.astype({name: float for name in found if name not in ("assignment", "how", *WHOLE)})
    found["rate"] = 60 * found.submissions / found.wall
    between = 60 * (found.submissions - 1) / (found.last_done - found.first_done)
    found["steady"] = between.where(found.last_done > found.first_done)
    found["cpu_each"] = found.cpu / found.submissions
    # A single submission has no steady rate.
    stock = found[found.how == "stock"].sort_values("submissions")
    largest = stock.drop_duplicates(["assignment", "round"], keep="last")
    stock = largest.assign(stock_rate=largest.steady.fillna(largest.rate))[["assignment", "round", "stock_rate"]]
    found = found.merge(stock, how="left", on=["assignment", "round"])
    found["ratio"] = (found.rate / found.stock_rate).where(found.how != "stock")
    found["steady_ratio"] = found.steady / found.stock_rate
    return found


def goals(found: pd.DataFrame) -> Iterator[tuple[str, str, float, float | None]]:
    """Yield each goal: its text, ``>=`` or ``<=``, the goal, and the measured figure."""

    def median(figure: str, assignment: str = TRIVIAL, how: str = "cold", submissions: int = 0) -> float | None:
        """Return the median for the largest class, or one of this size, with most workers."""
        chosen = found[(found.assignment == assignment) & (found.how == how)]
        chosen = chosen[chosen.submissions == (submissions or chosen.submissions.max())]
        chosen = chosen[chosen.workers == chosen.workers.max()]
        return None if chosen[figure].dropna().empty else float(chosen[figure].median())

    def share(one: float | None, other: float | None) -> float | None:
        return one / other if one is not None and other else None

    for assignment, times in RATES.items():
        words = f"{assignment}: times stock nbgrader's rate, our start included, its start not"
        yield words, ">=", times, median("ratio", assignment)
    yield f"{TRIVIAL}: the same in a class of 20", ">=", 8, median("ratio", submissions=20)
    for assignment, times in STEADY.items():
        yield (
            f"{assignment}: times stock nbgrader's rate, neither start included",
            ">=",
            times,
            median("steady_ratio", assignment),
        )
    alone = share(median("wall", how="warm", submissions=1), median("wall", how="stock", submissions=1))
    yield f"{TRIVIAL}: seconds of one student judged again, as a share of stock nbgrader's", "<=", 1, alone
    yield f"{TRIVIAL}: processor seconds of each of 1,000", "<=", 0.19, median("cpu_each", submissions=1000)
    own = share(median("own_cpu", submissions=1000), 1000)
    yield f"{TRIVIAL}: processor seconds of the coordinator for each of 1,000", "<=", 0.01, own
    for figure, words in (("bare_cells", "its cells"), ("kernel", "its kernels"), ("bare_process", "bare processes")):
        how = "bare" if figure.startswith("bare") else "cold"
        seen = share(median("cpu_each", "multi_gpu"), median(figure, "multi_gpu", how))
        yield f"multi_gpu: processor time of a submission, as a multiple of {words}", "<=", 1.25, seen
    for figure, words, sign, wanted in (
        ("own_mib", "most memory of the coordinator", "<=", 1.2),
        ("worker_mib", "most memory of a worker", "<=", 1.2),
        ("steady", "rate without the start", ">=", 0.9),
    ):
        seen = share(median(figure, submissions=1000), median(figure, submissions=100))
        yield f"{TRIVIAL}: {words}, of 1,000 as a multiple of 100", sign, wanted, seen
    for size, seconds in ((1000, 20), (20, 2)):
        unchanged = median("wall", how="unchanged", submissions=size)
        yield f"{TRIVIAL}: seconds of {size:,} submissions once more, nothing changed", "<=", seconds, unchanged


def sheets(figures: dict[str, Any]) -> Iterator[Sheet]:
    """All tables of a bench."""
    found = table_of(figures["runs"])
    rows = [
        {"goal": words, "wanted": f"{sign} {wanted:g}", "measured": _marked(seen, sign, wanted)}
        for words, sign, wanted, seen in goals(found)
    ]
    yield Sheet("Goals, for two cores with sandbox and graders on", rows)
    for assignment in found.assignment.unique():
        yield Sheet(f"{assignment}: medians of the rounds", list(_medians(found[found.assignment == assignment])))
    yield Sheet("One submission, of one worker", [_parts(part) for part in figures["parts"]])


def _medians(found: pd.DataFrame) -> Iterator[dict[str, str]]:
    for how, name in NAMES.items():
        for (size, workers), runs in found[found.how == how].groupby(["submissions", "workers"]):
            middle = runs.median(numeric_only=True)
            figures = {
                "a minute": (middle.rate, ".1f"),
                "x stock": (middle.ratio, ".2f"),
                "steady": (middle.steady, ".1f"),
                "CPU s": (middle.cpu_each, ".2f"),
                "coordinator's": (middle.own_cpu / size, ".3f"),
                "in kernels": (middle.kernel, ".2f"),
                "MiB": (runs.own_mib.max(), ".0f"),
                "worker": (runs.worker_mib.max(), ".0f"),
            }
            yield {"graded by": name, "submissions": f"{size:,}", "workers": str(workers), "rounds": str(len(runs))} | {
                column: "" if pd.isna(value) else format(value, form) for column, (value, form) in figures.items()
            }


def _parts(part: dict[str, Any]) -> dict[str, str]:
    return {
        "assignment": part["assignment"],
        "seconds": _marked(part["seconds"], "<=", part["seconds_wanted"]),
        **{name: f"{part[name]:.2f}" for name in ("start", "cells and tests", "stop")},
        "judge": _marked(part["judge"], "<=", JUDGE_SECONDS),
        "MiB of the kernel": _marked(part["mib"], "<=", part["mib_wanted"]),
        "points": _marked(part["points"], ">=", 1),
    }


def _marked(seen: float | None, sign: str, wanted: float | None) -> str:
    """Format a figure, with a sign whether it reaches its goal."""
    if seen is None:
        return "not measured"
    if wanted is None:
        return f"{seen:.3g}"
    return f"{'✓' if (seen >= wanted if sign == '>=' else seen <= wanted) else '✗'} {seen:.3g}"


def machine(load: float | None, cores: int) -> str:
    """This machine, in a sentence; without a load if nobody knows it."""
    processor = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    parts = [
        f"{cores} cores ({processor[1] if processor else platform.machine()})",
        f"{psutil.virtual_memory().total / 2**30:.0f} GiB",
        f"{platform.system()} {platform.release()}",
        f"Python {platform.python_version()}",
        *([] if load is None else [f"load {load:.1f} at the start"]),
        f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
    ]
    return ", ".join(parts)


def show(figures: dict[str, Any], screen: Console) -> None:
    """Print all tables."""
    for sheet in sheets(figures):
        show_sheet(sheet, screen)
    for sentence in (*figures["missing"], figures["machine"]):
        screen.print(sentence, style="dim", highlight=False)


def show_sheet(sheet: Sheet, screen: Console) -> None:
    """Print one table."""
    shown = Table(box=box.SIMPLE_HEAD, pad_edge=False, title=sheet.title, title_justify="left")
    for index, column in enumerate(sheet.rows[0] if sheet.rows else ()):
        shown.add_column(column, justify="right" if index else "left")
    for row in sheet.rows:
        shown.add_row(*(f"[red]{cell}" if "✗" in cell else cell for cell in row.values()))
    screen.print(shown)


def markdown(figures: dict[str, Any]) -> str:
    """All tables in Markdown, below the machine and the command."""
    blocks = [f"{figures['machine']}: `{figures['command']}`."]
    for sheet in (sheet for sheet in sheets(figures) if sheet.rows):
        blocks += [f"### {sheet.title}", table(sheet)]
    return "\n\n".join([*blocks, *figures["missing"]]) + "\n"


def table(sheet: Sheet) -> str:
    """A table in Markdown, without its title."""
    head = [list(sheet.rows[0]), ["---", *["---:"] * (len(sheet.rows[0]) - 1)]]
    return "\n".join(f"| {' | '.join(line)} |" for line in (*head, *(row.values() for row in sheet.rows)))


def draw(source: Path, picture: Path, python: Path) -> None:
    """Draw the plot of a bench.json with the engine's Python."""
    done = subprocess.run([python, PLOT, source, picture], capture_output=True, text=True)
    if done.returncode:
        print(f"bench: no plot could be drawn: {done.stderr.strip()[-200:]}")


def publish(figures: dict[str, Any], course: Course, picture: Path) -> None:
    """Put tables and plot into the docs.

    Raises:
        CourseError: If the page has no place for them.
    """
    put_between(course.root / PAGE, BEGIN, END, f"![{ALT}](../images/{picture.name})\n\n{markdown(figures)}")
    if picture.is_file():
        (course.root / PICTURE).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(picture, course.root / PICTURE)


def publish_sheet(
    course: Course | None, subject: str, load: float | None, sheets: Sequence[Sheet], text: str = ""
) -> None:
    """Put the tables of another benchmark into the docs, below machine, load, date and command.

    Args:
        course: The course whose docs to write; None for none.
        subject: The subject of the figures, as in the marks of the page.
        load: The machine's load at the start, if it is known.
        sheets: With titles, if there are several.
        text: A note for the reader.

    Raises:
        CourseError: If the page has no place for them.
    """
    if course is None:
        return
    command = shlex.join(["python", "-m", _module(), *(word for word in sys.argv[1:] if word != "--publish")])
    blocks = [f"{machine(load, CORES)}: `{command}`."] + [text] * bool(text)
    for sheet in sheets:
        blocks += [f"### {sheet.title}"] * (len(sheets) > 1) + [table(sheet)]
    begin, end = (f"<!-- figures of {subject}: {which} -->" for which in ("begin", "end"))
    put_between(course.root / PAGE, begin, end, "\n\n".join(blocks) + "\n")


def _module() -> str:
    spec = sys.modules["__main__"].__spec__
    return spec.name if spec else "scripts.benchmarks"


def put_between(page: Path, begin: str, end: str, text: str) -> None:
    """Replace the text between two lines of a page.

    Raises:
        CourseError: If the page does not have them.
    """
    before, begun, rest = (page.read_text() if page.is_file() else "").partition(begin)
    _, ended, after = rest.partition(end)
    if not (begun and ended):
        raise CourseError(f"{page} has no place for the figures: add the lines {begin} and {end} to it.")
    page.write_text(f"{before}{begin}\n{text}{end}{after}")
