"""All messages: everything that students read of an assignment, of reports, and of pages for them."""

import ast
import functools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import nbformat

from ..core.explanations_of_tests import read_explanations
from ..core.grader_sentences import templates
from ..core.texts import PLURALS, STAFF, TEXTS
from ..course.folder import Course
from ..course.visible import VISIBLE_FOLDER, imported
from ..engines.find import find, folders
from ..report.misconceptions_page import parse_misconceptions
from .blocks import LETTERS, blocks
from .code import words_of
from .pictures import drawn_by, modules

PACKAGE = Path(__file__).resolve().parent.parent
GRADERS = PACKAGE / "graders"  # modules that graders of several assignments import
# catalogues in addition to those of the assignments
REPORT, MISCONCEPTIONS, STUDENTS = "report", "misconceptions", "students"
HUB = "hub"  # the hub's texts for students, in a clone that has a hub
STUBS = {"answer": "YOUR ANSWER HERE", "code": "YOUR CODE HERE"}  # nbgrader's replacements for a solution
PLACE = re.compile(r"\{[^{}]*\}")


@dataclass(frozen=True)
class SourceMessage:
    """A message."""

    text: str | tuple[str, str]  # the English text; two forms for a text with a number
    # its place: a cell, a code, a file, a section; "" for a sentence of a grader, wherever it is
    context: str
    file: str  # the source


def catalogues(course: Course) -> list[str]:
    found = (name for assignment in course.assignments() for name in packages(course, assignment))
    hub = [HUB] if _hub_words(course).is_file() else []
    return [REPORT, MISCONCEPTIONS, STUDENTS, *hub, *dict.fromkeys(found), *course.assignments()]


def packages(course: Course, assignment: str) -> list[str]:
    """Return a release's packages with texts in other languages; each has a catalogue."""
    return [name for name in _packages() if name in _named(find(course.settings_of(assignment).engine).release_files)]


def is_package(catalogue: str) -> bool:
    return catalogue in _packages()


@functools.cache
def _packages() -> dict[str, Path]:
    """Return the files with the English texts of our packages, by package name."""
    ours = [name for name, folder in sorted(folders().items()) if folder.parent == PACKAGE / "engines"]
    found = {name: path for engine in ours for name, path in _named(find(engine).release_files).items()}
    return {name: path for name, path in found.items() if path.is_file()}


def _hub_words(course: Course) -> Path:
    return course.root / "deploy" / "words.py"


def _named(release_files: Iterable[Path]) -> dict[str, Path]:
    return {folder.name: folder / "src" / folder.name / "words.py" for folder in release_files}


def messages(course: Course, catalogue: str) -> list[SourceMessage]:
    """Return all current messages of a catalogue, in order."""
    places = (course.source(catalogue).folder, course.misconceptions_page.parent)
    files = [path for place in places for path in sorted(place.rglob("*.*")) if path.suffix != ".pyc"]
    files += [
        path
        for part in ("*", "*/*", f"*/{VISIBLE_FOLDER}/*")
        for path in sorted(course.root.glob(f"grader_tests/{part}"))
    ]
    files += [path for name, path in {**_packages(), HUB: _hub_words(course)}.items() if name == catalogue]
    known = tuple((path, path.stat().st_mtime_ns, path.stat().st_size) for path in files if path.is_file())
    return list(_messages(course, catalogue, known))


@functools.lru_cache(maxsize=64)
def _messages(course: Course, catalogue: str, known: tuple[tuple[Path, int, int], ...]) -> tuple[SourceMessage, ...]:
    """Return cached messages of unchanged files: reading an assignment takes half a second."""
    if catalogue == REPORT:
        return tuple(_report())
    if catalogue == MISCONCEPTIONS:
        return tuple(_misconceptions(course))
    if catalogue == STUDENTS:
        return tuple(dict.fromkeys(_students(course)))
    if catalogue == HUB and _hub_words(course).is_file():
        return tuple(_dictionary(_hub_words(course), "deploy/words.py"))
    if is_package(catalogue):
        path = _packages()[catalogue]
        return tuple(_dictionary(path, path.relative_to(path.parents[3]).as_posix()))
    return tuple(dict.fromkeys(_assignment(course, catalogue)))


def sections(course: Course, assignment: str) -> set[str]:
    """Return the sections on misconceptions that feedback on an assignment may show."""
    found = (
        words for path in course.graders(assignment).tests() for words in read_explanations(path.read_bytes()).values()
    )
    return {words.misconception for words in found} - {""}


def _report() -> Iterator[SourceMessage]:
    for code, text in TEXTS.items():
        if code not in STAFF and not code.startswith("act_") and PLACE.sub("", text).strip():
            form = (PLURALS[code].one, text) if code in PLURALS else text
            yield SourceMessage(form, code, "syncpoint/core/texts.py")
    for name, stub in STUBS.items():
        yield SourceMessage(stub, f"stub {name}", "syncpoint/translations/source_messages.py")
    file = "syncpoint/observe/vocabulary.py"
    yield from (
        SourceMessage(text, "", file) for text in _sentences((PACKAGE / "observe" / "vocabulary.py").read_text())
    )
    for name in sorted(folders()):
        if folders()[name].parent == PACKAGE / "engines":
            words = find(name).words
            for text in (words.array, words.device, words.host_copy, *words.labels, *words.errors.values()):
                yield SourceMessage(text, "", words_file(name))


def words_file(engine: str) -> str:
    """Return the place of an engine's texts, as messages name it."""
    return f"syncpoint/engines/{engine}/engine.toml"


def _misconceptions(course: Course) -> Iterator[SourceMessage]:
    page = course.misconceptions_page
    if page.is_file():
        for slug, section in parse_misconceptions(page.read_text(encoding="utf-8")).items():
            yield SourceMessage(section.title, slug, "docs/students/misconceptions.md")
            for block in blocks(section.text, pictures=True):
                yield SourceMessage(block.text, slug, "docs/students/misconceptions.md")


def students_page(course: Course, language: str = "") -> Path:
    return course.root / "docs" / "students" / (f"guide.{language}.md" if language else "guide.md")


def _students(course: Course) -> Iterator[SourceMessage]:
    page = students_page(course)
    if page.is_file():
        for block in blocks(page.read_text(encoding="utf-8")):
            yield SourceMessage(block.text, "", "docs/students/guide.md")


def _dictionary(path: Path, file: str) -> Iterator[SourceMessage]:
    """Return a module's dictionary WORDS, read without importing the module."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "WORDS":
            for name, text in ast.literal_eval(node.value).items():
                if PLACE.sub("", text).strip():
                    yield SourceMessage(text, name, file)


def _assignment(course: Course, assignment: str) -> Iterator[SourceMessage]:
    title = course.graders(assignment).settings().title
    if title:
        yield SourceMessage(title, "title", f"grader_tests/{assignment}/assignment.toml")
    for path in sorted(course.source(assignment).folder.glob("*.ipynb")):
        for cell in nbformat.read(path, as_version=4).cells:
            found = blocks(cell.source) if cell.cell_type == "markdown" else words_of(cell.source)
            for one in found:
                yield SourceMessage(one.text, cell_context(path.stem, cell), f"source/{assignment}/{path.name}")
    for path in modules(course, assignment):
        for words in words_of(path.read_text(encoding="utf-8"), drawn_by(course, path)):
            yield SourceMessage(words.text, path.name, f"source/{assignment}/{path.name}")
    for path in _graders(course, assignment):
        source = path.read_text(encoding="utf-8")
        for text in (*_words_of_tests(source), *_sentences(source)):
            shown = path.relative_to(PACKAGE.parent if path.parent == GRADERS else course.root)
            yield SourceMessage(text, "", shown.as_posix())


def cell_context(notebook: str, cell: nbformat.NotebookNode) -> str:
    return f"{notebook}/{cell.get('id', '')}"


def _graders(course: Course, assignment: str) -> list[Path]:
    """Return the modules with texts about a student's work: tests, fixtures, and the modules that they import."""
    own, shared = course.graders(assignment).modules(), course.root / "grader_tests"
    tests = [
        *course.graders(assignment).tests(),
        *(path for _, path in sorted(course.graders(assignment).modules(VISIBLE_FOLDER).items())),
    ]
    fixtures = [own.get("conftest.py"), shared / "conftest.py"]
    found = dict.fromkeys([*tests, *(path for path in fixtures if path is not None and path.is_file())])
    queue = list(found)
    while queue:
        path = queue.pop(0)
        for name in imported(path):
            for helper in (own.get(f"{name}.py"), shared / f"{name}.py", _public(name)):
                if helper is not None and helper.is_file() and helper not in found:
                    found[helper] = None
                    queue.append(helper)
    return list(found)


def for_visible_tests(course: Course, assignment: str) -> set[str]:
    """Return the English texts of a notebook's check: of reports and visible tests, of no hidden test."""
    sources = [path.read_text(encoding="utf-8") for path in course.graders(assignment).modules(VISIBLE_FOLDER).values()]
    found = {text for source in sources for text in (*_words_of_tests(source), *_sentences(source))}
    report = [message.text for message in messages(course, REPORT)]
    return found | {text if isinstance(text, str) else text[-1] for text in report}


def _public(name: str) -> Path | None:
    """Return the file of a module of ``syncpoint.graders``; None for any other."""
    path = PACKAGE.parent / f"{name.replace('.', '/')}.py"
    return path if path.parent == GRADERS else None


def _words_of_tests(source: str) -> Iterator[str]:
    """Titles and hints."""
    for name, words in read_explanations(source.encode()).items():
        if name.startswith("test_"):
            yield from filter(None, (words.title, words.hint))


def _sentences(source: str) -> Iterator[str]:
    """Yield sentences about observations, and words in them."""
    yield from (text for text in templates(source) if LETTERS.search(PLACE.sub("", text)))
