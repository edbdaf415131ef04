"""Makes lecture slides from notebooks: texts, examples with output, pictures, timelines, but no solutions.

Each source is run with its solutions in its engine's environment, then the answers and tests are left out.
"""

import argparse
import os
import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from jinja2 import pass_context
from jupyter_client.manager import AsyncKernelManager
from jupyter_core.utils import run_sync
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbconvert.exporters import SlidesExporter
from nbconvert.filters.markdown_mistune import MarkdownWithMath
from nbformat import NotebookNode
from nbgrader import utils

from syncpoint.core.language import SOURCE
from syncpoint.course.folder import Course
from syncpoint.course.release import add_engine_files
from syncpoint.report.formulas import MAX_PAGE_FORMULAS, FormulaRenderer
from syncpoint.report.timeline_picture import width_of
from syncpoint.sandbox.spec import VENV
from syncpoint.translations.catalogue import languages
from syncpoint.translations.localize import course_in

ROOT = Path(__file__).resolve().parent.parent
TEMPLATES = ROOT / "scripts" / "reveal"
REVEAL = TEMPLATES / "node_modules" / "reveal.js"
FOLDER = ROOT / "build" / "slides"
PLACES = ("dist", "plugin")  # folders of reveal.js that slides load
HEADING = re.compile(r"^(#{1,6}) ", re.MULTILINE)
PICTURES = re.compile(r"(\w+\.)?draw_\w+\(\)")  # code that adds nothing to its picture
# In lines of text: what fits on a slide, the same with the output of an example, and the height of parts.
FULL, TALL = 16, 19
HEAD, GAP, PICTURE, CODE = 2.5, 0.5, 9, 0.8
WIDE, CELL = 410, 260  # the width, as `width_of` counts, of a line and of a cell in a table of two columns
SECONDS = 600  # limit for one cell


class Slides(SlidesExporter):
    """nbconvert's slides, with formulas that need no network."""

    @pass_context
    def markdown2html(self, context: Any, source: str) -> str:
        """Nbconvert's filter for Markdown, with formulas as MathML."""
        return str(MarkdownWithMath(renderer=FormulaRenderer([MAX_PAGE_FORMULAS], escape=False)).render(source))


def answers(cell: NotebookNode) -> bool:
    """Whether students must not see this cell: an answer, a test, or the check of one."""
    return utils.is_solution(cell) or utils.is_grade(cell) or utils.is_task(cell)


def run(notebook: NotebookNode, python: Path, folder: Path) -> NotebookNode:
    """Run a notebook in a folder with an engine's Python, as a student does; a cell that fails shows its error.

    Raises:
        SystemExit: If the kernel ends.
    """
    # The names of the sockets begin with that of this file; without it, they depend on the working folder.
    connection = str(folder.parent / "kernel.json")
    manager = AsyncKernelManager(kernel_name="python3", transport="ipc", connection_file=connection)
    manager.kernel_spec.argv = [str(python), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    environment = {key: value for key, value in os.environ.items() if key != "NBGRADER_EXECUTION"}
    client = NotebookClient(notebook, km=manager, timeout=SECONDS, allow_errors=True)
    try:
        client.execute(cwd=str(folder), env=environment)
    except CellExecutionError as error:
        raise SystemExit(f"slides: {error}") from None
    finally:
        run_sync(manager.shutdown_kernel)(now=True)
    return notebook


def deck(notebook: NotebookNode) -> NotebookNode:
    """Return a lecture's cells: a slide for each section, continued below when full."""
    cells, filled = [], 0
    for cell in notebook.cells:
        if answers(cell) or (cell.cell_type == "code" and re.match(r"def check_|check_\w+\(", cell.source)):
            continue
        for part in _parts(cell):
            level = HEADING.match(part.source) if part.cell_type == "markdown" else None
            size = _size(part)
            if level and len(level[1]) < 3:
                kind, filled = "slide", size
            elif level or filled + size > TALL:
                kind, filled = "subslide", size
            else:
                kind, filled = "-", filled + size
            part.metadata["slideshow"] = {"slide_type": kind}
            if PICTURES.fullmatch(part.source.strip()):
                part.metadata["transient"] = {"remove_source": True}
            cells.append(part)
    notebook.cells = cells
    return notebook


def _parts(cell: NotebookNode) -> list[NotebookNode]:
    """Split a long text between paragraphs, each piece with its heading; code stays whole."""
    if cell.cell_type != "markdown":
        return [cell]
    pieces, fenced = [""], False
    for paragraph in re.split(r"\n{2,}", cell.source):
        before = _lines(pieces[-1])
        full = before > HEAD and before + _lines(paragraph) > FULL  # no heading is alone on a slide
        begins = not fenced and (HEADING.match(paragraph) or full)
        if begins and pieces[-1]:
            pieces.append("")
        pieces[-1] = f"{pieces[-1]}\n\n{paragraph}".strip("\n")
        fenced ^= paragraph.count("```") % 2 == 1
    return [nbformat.v4.new_markdown_cell(piece) for piece in pieces]


def _size(cell: NotebookNode) -> float:
    """Return the height of a cell with its outputs, in lines of text."""
    shown = _lines(cell.source) if cell.cell_type == "markdown" else CODE * (1 + cell.source.count("\n"))
    for output in cell.get("outputs", ()):
        data = output.get("data", {})
        pictured = any(kind.startswith("image/") or kind == "text/html" for kind in data)
        text = str(output.get("text") or data.get("text/plain", ""))
        shown += PICTURE if pictured else CODE * text.count("\n")
    return shown


def _lines(text: str) -> float:
    """Return how many lines a text takes on a slide."""
    found, fenced = 0.0, False
    for line in text.splitlines():
        fenced ^= line.startswith("```")
        if fenced:
            found += CODE
        elif line.startswith("|"):
            found += CODE * max(-(-width_of(cell) // CELL) for cell in line.strip("|").split("|"))
        else:
            found += HEAD if HEADING.match(line) else -(-width_of(line) // WIDE) or GAP
    return found


def write(notebook: NotebookNode, name: str, language: str, target: Path) -> None:
    """Write the slides as one page, which loads reveal.js from the folder next to it."""
    exporter = Slides(
        template_name="deck",
        extra_template_basedirs=[str(TEMPLATES)],
        reveal_url_prefix="../reveal.js",
        reveal_number="c/t",
        reveal_transition="none",
        language_code=language.split("_")[0],
        exclude_input_prompt=True,
        exclude_output_prompt=True,
    )
    html, _ = exporter.from_notebook_node(notebook, {"metadata": {"name": name}})
    target.write_text(html, encoding="utf-8")
    print(target.relative_to(ROOT))


def slides_of(course: Course, assignment: str, language: str) -> None:
    """Make the slides of each notebook of an assignment in one language."""
    python = ROOT / f"{VENV}{course.settings_of(assignment).engine}" / "bin" / "python"
    for path in sorted(course.source(assignment).folder.glob("*.ipynb")):
        with tempfile.TemporaryDirectory(prefix="syncpoint-slides-") as folder:
            work = Path(shutil.copytree(path.parent, Path(folder, assignment)))
            add_engine_files(course, assignment, work)
            notebook = deck(run(nbformat.read(path, as_version=4), python, work))
        ends = "" if language == SOURCE else f".{language}"
        target = FOLDER / assignment / f"{path.stem}{ends}.slides.html"
        target.parent.mkdir(parents=True, exist_ok=True)
        write(notebook, path.stem, language, target)


def main() -> None:
    """``make slides ARGS="torch_streams --language pt_BR"``."""
    course = Course(ROOT)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "assignments", nargs="*", help="the assignments; all, if none is named", default=course.assignments()
    )
    parser.add_argument(
        "--language",
        action="append",
        choices=[SOURCE, *languages(course)],
        help="only this language; may be given more than once",
    )
    options = parser.parse_args()
    for part in PLACES:
        shutil.copytree(REVEAL / part, FOLDER / "reveal.js" / part, dirs_exist_ok=True)
    for language in options.language or [SOURCE, *languages(course)]:
        with course_in(course, language) as spoken:
            for assignment in options.assignments:
                slides_of(spoken, assignment, language)


if __name__ == "__main__":
    main()
