"""Reads a submitted file, whatever it contains, and makes a notebook that can be graded.

From the student's file only the language, and kinds, texts, exercise ids and pictures of cells are used.
Everything else comes from the released notebook.
"""

import contextlib
import itertools
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from ..core.language import SOURCE
from ..core.limits import MIB
from ..core.messages import Message, listed
from ..core.results import Note
from ..core.strip import strip_surrogates
from ..judge.job import KINDS, numbered
from .cells import as_released, grade_id, plain
from .damage import DECODER, decoded, is_utf8, other_files, why_no_cells, why_no_json
from .errors import Unreadable
from .student_cells import arrange
from .variants import fill_notebook

MAX_BYTES = 20 * MIB
MAX_CELLS = 2000
MOST_BESIDE = 8  # notebooks that are read to find the language of an unreadable one: each may take a second
MAX_VALUES = 2_000_000  # a nested list takes 88 bytes in Python and two in a file: 20 MiB became 1 GiB
# Matches at most one more value, with all strings before it. Reads no byte twice, whatever the file contains.
VALUE = re.compile(rb'(?:[^"\[{,]++|"[^"\\]*+(?:\\.[^"\\]*+)*+"?)*+(?:[\[{,]|\Z)', re.DOTALL)
TIMESTAMP = "timestamp.txt"  # nbgrader's file with the time of submission
PARTNERS = "group.txt"  # a student's file with the ids of those who submit with them
OLD_KINDS = {"heading": "markdown", "html": "markdown"}  # of nbformat 3
METADATA = "syncpoint_language"  # metadata of a notebook; English notebooks of an English course have none
PICTURES = ("image/png", "image/jpeg")


@dataclass(frozen=True)
class Template:
    """The released notebook: its cells with an exercise id, in order, and its metadata."""

    name: str
    cells: tuple[NotebookNode, ...]
    metadata: dict[str, Any]
    language: str = ""  # its language; "" for the course's language
    texts: frozenset[str] = frozenset()  # texts of all its cells, converted by :func:`.cells.plain`
    others: frozenset[str] = frozenset()  # the names of the other notebooks of the release

    @classmethod
    def read(cls, path: Path, language: str = "", variant: str = "") -> "Template":
        notebook = fill_notebook(nbformat.read(path, as_version=4), variant)
        cells = tuple(filter(grade_id, notebook.cells))
        texts = frozenset(plain(cell.source) for cell in notebook.cells)
        others = frozenset(other.name for other in path.parent.glob("*.ipynb") if other != path)
        return cls(path.stem, cells, dict(notebook.metadata), language, texts, others)

    @property
    def spoken(self) -> str:
        return str(self.metadata.get(METADATA, SOURCE))

    @property
    def by_id(self) -> dict[str, NotebookNode]:
        return {cell.metadata.nbgrader.grade_id: cell for cell in self.cells}


@dataclass(frozen=True)
class StudentNotebook:
    """A notebook that can be graded."""

    notebook: NotebookNode
    template: Template  # the released notebook, in its language, that it was put into
    notes: list[Note] = field(default_factory=list)  # what was changed and found in it
    refused: Message | None = None  # why nothing can be run, or None


def read_notebook(
    path: Path, template: Template, translations: Mapping[str, Template] | None = None, reads: str = ""
) -> StudentNotebook:
    """Read a submitted file. Never raises because of the file's content.

    ``translations`` are the released notebook in other languages. The file's metadata names the language; if it cannot
    be read, the other notebooks of the submission do. ``reads`` is the student's, if nothing names one.
    """
    try:
        cells, language, notes = _read_cells(path, template.others)
        template = (translations or {}).get(language, template)
    except Unreadable as problem:
        template = (translations or {}).get(_language_of_others(path) or reads, template)
        blank = numbered([as_released(cell) for cell in template.cells], template.metadata)
        refused = problem.message.having(file=path.name)
        if path.is_file() and (like := other_files(path, template.others, alike=True)):
            refused = Message.of("refused_and_beside", message=refused, found=listed(like))
        return StudentNotebook(blank, template, refused=refused)
    texts = template.texts.union(*(other.texts for other in (translations or {}).values()))
    arranged, more = arrange(cells, template.name, template.cells, texts)
    notes += more
    untouched = all(plain(cell["source"]) in texts for cell in cells)
    if untouched and (like := other_files(path, template.others, alike=True)):
        notes.append(Note(Message.of("beside", found=listed(like))))
    return StudentNotebook(numbered(arranged, template.metadata), template, notes)


def is_untouched(path: Path, released: frozenset[str]) -> bool:
    """Whether a submitted file is missing or has only the release's texts, compared by :func:`.cells.plain`."""
    try:
        cells, _, _ = _read_cells(path)
    except Unreadable:
        return not path.exists()
    return all(plain(cell["source"]) in released for cell in cells)


def _read_cells(path: Path, others: Collection[str] = ()) -> tuple[list[dict[str, Any]], str, list[Note]]:
    """Return cells as plain dicts (cell_type, source, metadata, attachments), the language of the file, and notes."""
    if path.is_symlink():
        raise Unreadable(Message("refused_link"))
    if not path.is_file():
        found = other_files(path, others)
        raise Unreadable(Message.of("refused_beside", found=listed(found)) if found else Message("refused_missing"))
    if path.stat().st_size > MAX_BYTES:
        raise Unreadable(Message.of("refused_size", mib=MAX_BYTES // MIB))
    content = path.read_bytes()
    text, whole = decoded(content)
    as_utf8 = content if is_utf8(content) else text.encode("utf-8", "replace")
    if next(itertools.islice(VALUE.finditer(as_utf8), MAX_VALUES, None), None) is not None:
        raise Unreadable(Message.of("refused_values", values=MAX_VALUES))
    notes = [] if whole else [Note(Message("not_utf8"))]
    try:
        start = len(text) - len(text.lstrip())
        data, end = DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        raise Unreadable(why_no_json(content, text)) from None
    cells = _cells_of(data)
    if text[end:].strip():  # the rest of an older, longer file, or a second file
        if cells is None:
            raise Unreadable(why_no_json(content, text))
        notes.append(Note(Message("more_than_a_notebook")))
    if cells is None:
        raise Unreadable(why_no_cells(data))
    if len(cells) > MAX_CELLS:
        raise Unreadable(Message.of("refused_many_cells", cells=MAX_CELLS))
    return [cell for cell in map(_plain_cell, cells) if cell is not None], _claimed_language(data), notes


def _language_of_others(path: Path) -> str:
    """Return the language of the first other notebook of the submission that has one."""
    for other in sorted(path.parent.glob("*.ipynb"))[:MOST_BESIDE]:
        with contextlib.suppress(Unreadable):
            language = _read_cells(other)[1]
            if language:
                return language
    return ""


def _claimed_language(data: Any) -> str:
    for name in ("metadata", METADATA):
        data = data.get(name) if isinstance(data, dict) else None
    return data if isinstance(data, str) else ""


def _cells_of(data: Any) -> list[Any] | None:
    """Return the cells of a notebook in any notebook format; None if the file is not a notebook.

    nbformat's own converters take a minute for the outputs of a megabyte; outputs are not believed anyway.
    """
    if not isinstance(data, dict):
        return None
    if data.get("nbformat") not in (2, 3):
        return data["cells"] if isinstance(data.get("cells"), list) else None
    sheets = data.get("worksheets")
    if not isinstance(sheets, list) or not all(isinstance(sheet, dict) for sheet in sheets):
        return None
    cells = [sheet.get("cells") for sheet in sheets]
    return [cell for found in cells for cell in found] if all(isinstance(found, list) for found in cells) else None


def _plain_cell(data: Any) -> dict[str, Any] | None:
    if not isinstance(data, dict):
        return None
    kind = data.get("cell_type")
    kind = OLD_KINDS.get(kind, kind) if isinstance(kind, str) else ""
    source = data.get("source", data.get("input", ""))
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        source = "".join(source)
    if kind not in KINDS or not isinstance(source, str):
        return None
    return {
        "cell_type": kind,
        "source": strip_surrogates(source),
        "metadata": data.get("metadata"),
        "attachments": _pictures(data.get("attachments")),
    }


def _pictures(attachments: Any) -> dict[str, dict[str, str]]:
    """Return the pictures that a student put into a written answer; nothing else is kept."""
    if not isinstance(attachments, dict):
        return {}
    return {
        strip_surrogates(name): {
            kind: strip_surrogates(data) for kind, data in bundle.items() if kind in PICTURES and isinstance(data, str)
        }
        for name, bundle in attachments.items()
        if isinstance(bundle, dict)
    }
