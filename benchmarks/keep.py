"""Where the figures go: a folder with JSON, Markdown and the plot, and the course's page about performance."""

import re
import shutil
import subprocess
from pathlib import Path

from rich.console import Console

from syncpoint.course.folder import Course, CourseError

from .figures import Figures
from .report import machine, markdown, sheets, table

FIGURES, TABLES, PICTURE = "bench.json", "performance.md", "performance.png"
PAGE, PAGE_PICTURE = "docs/performance.md", "docs/images/performance.png"
PLOT = Path(__file__).with_name("plot.py")  # for the engine's Python: ours has no matplotlib
SHOWN = """\
![Bars of how many submissions a minute each grader grades, by assignment, as in the tables below; lines of \
submissions done and of memory over time](images/performance.png)

"""
BEGIN, END = "<!-- figures of make bench: begin -->", "<!-- figures of make bench: end -->"


def read_figures(path: Path) -> Figures:
    """The figures of an earlier bench.  Raises CourseError."""
    try:
        return Figures.read(path)
    except (OSError, ValueError) as problem:
        raise CourseError(f"{path} holds no figures of a bench that can be read: {problem}") from None


def show(figures: Figures, screen: Console) -> None:
    """Print all tables."""
    for sheet in sheets(figures):
        screen.print(table(sheet))
    for sentence in (*figures.rest, machine(figures)):
        screen.print(sentence, style="dim", highlight=False)


def keep(figures: Figures, course: Course, folder: Path, screen: Console) -> None:
    """Write JSON, Markdown and the plot into the folder, made if it is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / FIGURES).write_bytes(figures.to_json())
    (folder / TABLES).write_text(markdown(figures))
    engine = course.sandbox_spec(figures.assignments()[-1])
    argv = [str(engine.python), str(PLOT), str(folder / FIGURES), str(folder / PICTURE)]
    drawn = subprocess.run(argv, capture_output=True, text=True)
    if drawn.returncode:
        reason = (drawn.stderr.strip().splitlines() or ["it said nothing"])[-1]
        screen.print(f"bench: no plot could be drawn: {reason}", highlight=False)
    screen.print(f"bench: {FIGURES}, {TABLES} and {PICTURE} are in {folder}.", highlight=False)


def publish(figures: Figures, course: Course, folder: Path) -> None:
    """Put the kept figures into the course's page.  Raises CourseError if the page has no place for them."""
    page = course.root / PAGE
    text = page.read_text() if page.is_file() else ""
    inside = re.compile(f"{re.escape(BEGIN)}.*{re.escape(END)}", re.DOTALL)
    if not inside.search(text):
        raise CourseError(f"{page} has no place for the figures: add the lines {BEGIN} and {END} to it.")
    page.write_text(inside.sub(lambda _: f"{BEGIN}\n{SHOWN}{markdown(figures)}{END}", text))
    if (folder / PICTURE).is_file():
        (course.root / PAGE_PICTURE).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(folder / PICTURE, course.root / PAGE_PICTURE)
