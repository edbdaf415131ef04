"""Makes translated files from a source and a catalogue: notebooks, drawing modules, the page on misconceptions."""

import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from ..core.language import SOURCE
from ..course.folder import Course
from ..course.intake import METADATA
from ..course.visible import ABOUT, VISIBLE_FOLDER
from ..report.misconceptions_page import Misconception, parse_misconceptions
from . import blocks, code
from .catalogue import Translated, check_language, spoken, translated
from .pictures import drawn_by, modules
from .source_messages import (
    MISCONCEPTIONS,
    REPORT,
    STUBS,
    STUDENTS,
    cell_context,
    for_visible_tests,
    messages,
    packages,
    students_page,
)

MADE_OF = (
    "<!-- made of guide.md and locale/{language}/students.po by `syncpoint translations extract`: change these -->"
)


def notebook_in(found: Translated, name: str, notebook: NotebookNode) -> NotebookNode:
    """Return a source notebook in another language; solutions, ids and points stay."""
    for cell in notebook.cells:
        translator = found.translator(cell_context(name, cell))
        cell.source = (blocks.translate if cell.cell_type == "markdown" else _code)(cell.source, translator)
    notebook.metadata[METADATA] = found.language
    return notebook


def _code(source: str, translator: Callable[[str], str]) -> str:
    new = code.translate(source, translator)
    try:
        return new if code.same(source, new) else source
    except SyntaxError:
        return source


def source_in(course: Course, language: str, assignment: str, folder: Path) -> None:
    """Write an assignment's source in a language into a folder, from which nbgrader makes a release."""
    found = translated(course, language, assignment)
    shutil.copytree(course.source(assignment).folder, folder, dirs_exist_ok=True)
    for path in sorted(folder.glob("*.ipynb")):
        nbformat.write(notebook_in(found, path.stem, nbformat.read(path, as_version=4)), path)
    for module in modules(course, assignment):
        text = code.translate(
            module.read_text(encoding="utf-8"), found.translator(module.name), drawn_by(course, module)
        )
        (folder / module.name).write_text(text, encoding="utf-8")


@contextmanager
def course_in(course: Course, language: str) -> Iterator[Course]:
    """Yield a temporary copy of a course with sources in a language (English: the course), or raise CourseError."""
    check_language(course, language)
    if language in ("", SOURCE):
        yield course
        return
    with tempfile.TemporaryDirectory(prefix="syncpoint-language-") as folder:
        copy = course.copy_to(Path(folder, course.root.name))
        for assignment in course.assignments():
            source_in(course, language, assignment, copy.source(assignment).folder)
        yield copy


def stubs_in(course: Course, language: str) -> dict[str, str]:
    found = translated(course, language, REPORT)
    return {name: found.translator(f"stub {name}")(stub) for name, stub in STUBS.items()}


def about_in(course: Course, language: str, assignment: str, released: Path) -> None:
    """Switch a release's visible tests and packages to a language."""
    path = released / VISIBLE_FOLDER / ABOUT
    about = json.loads(path.read_text(encoding="utf-8")) | words_in(course, language, assignment)
    path.write_text(json.dumps(about, ensure_ascii=False, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def words_in(course: Course, language: str, assignment: str) -> dict[str, Any]:
    """Return the texts of a release's visible tests and packages in a language."""
    sent = spoken(course, language, assignment).to_data()
    known = for_visible_tests(course, assignment)  # students get these files, so they contain no hint of a hidden test
    sent["sentences"] = {english: text for english, text in sent["sentences"].items() if english in known}
    of_packages = {name: translated(course, language, name).by_context for name in packages(course, assignment)}
    return {
        "language": sent,
        **{
            name: {context: text for (context, _), text in sorted(found.items())} for name, found in of_packages.items()
        },
    }


def students_page_in(course: Course, language: str) -> str:
    """Return the students' page in a language, with its source below the title; "" if a part is missing."""
    found, wanted = translated(course, language, STUDENTS), messages(course, STUDENTS)
    if not wanted or any(found.get(message) is None for message in wanted):
        return ""
    text = students_page(course).read_text(encoding="utf-8")
    title, below, rest = blocks.translate(text, found.translator("")).partition("\n\n")
    return f"{title}{below}{MADE_OF.format(language=language)}{below}{rest}"


def misconceptions_in(course: Course, language: str) -> dict[str, Misconception]:
    """Return the page's sections, each in the language if complete, else in English."""
    page = course.misconceptions_page
    if not page.is_file():
        return {}
    sections = parse_misconceptions(page.read_text(encoding="utf-8"))
    if language == SOURCE:
        return sections
    found = translated(course, language, MISCONCEPTIONS)
    return {slug: _section(found, section) for slug, section in sections.items()}


def _section(found: Translated, section: Misconception) -> Misconception:
    texts = [section.title, *(block.text for block in blocks.blocks(section.text, pictures=True))]
    if any((section.slug, text) not in found.by_context for text in texts):
        return section
    translator = found.translator(section.slug)
    return Misconception(
        section.slug, translator(section.title), blocks.translate(section.text, translator, pictures=True)
    )
