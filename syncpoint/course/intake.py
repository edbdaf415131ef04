"""Takes a submitted file, whatever it holds, and makes a notebook of it that can be graded.

Of the student's file only the kind and the text of cells are believed, and of their metadata only the exercise's id.
Everything else comes from the released notebook.
"""

import contextlib
import copy
import itertools
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from ..core.errors import SyncpointError
from ..core.language import SOURCE
from ..core.limits import MIB
from ..core.messages import Message
from ..core.strip import strip_control, strip_surrogates
from ..judge.job import KINDS, new_cell, numbered

MAX_BYTES = 20 * MIB
MAX_CELLS = 2000
MOST_BESIDE = 8  # notebooks that are asked for the language of one that cannot be read: each may take a second
MAX_VALUES = 2_000_000  # in Python a list in a list takes 88 bytes, and two bytes of a file: 20 MiB became 1 GiB
# One more value at most, with all texts before it.  No byte is looked at twice, whatever the file holds.
VALUE = re.compile(rb'(?:[^"\[{,]++|"[^"\\]*+(?:\\.[^"\\]*+)*+"?)*+(?:[\[{,]|\Z)', re.DOTALL)
TIMESTAMP = "timestamp.txt"  # nbgrader's, of when it was handed in
OLD_KINDS = {"heading": "markdown", "html": "markdown"}  # of nbformat 3
METADATA = "syncpoint_language"  # of a notebook; in a course in English the English ones have none
PICTURES = ("image/png", "image/jpeg")


class Unreadable(SyncpointError):
    """The file is no notebook; ``said`` says why, without the name of the file."""

    def __init__(self, said: Message):
        super().__init__(said.code)
        self.said = said


@dataclass(frozen=True)
class Template:
    """The released notebook: its cells with an exercise's id, in order, and its metadata.

    Attributes:
        language: Its language; "" for the course's.
    """

    name: str
    cells: tuple[NotebookNode, ...]
    metadata: dict[str, Any]
    language: str = ""

    @classmethod
    def read(cls, path: Path, language: str = "") -> "Template":
        """Read a released notebook."""
        notebook = nbformat.read(path, as_version=4)
        cells = tuple(cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade_id"))
        return cls(path.stem, cells, dict(notebook.metadata), language)

    @property
    def spoken(self) -> str:
        """The language that it is in, the course's or another."""
        return str(self.metadata.get(METADATA, SOURCE))

    @property
    def by_id(self) -> dict[str, NotebookNode]:
        """The cells by their id."""
        return {cell.metadata.nbgrader.grade_id: cell for cell in self.cells}


@dataclass(frozen=True)
class Submission:
    """A notebook that can be graded.

    Attributes:
        template: The frame that it was put into: that of its language.
        notes: What was repaired.
        refused: Why nothing can be run, or None.
    """

    notebook: NotebookNode
    template: Template
    notes: list[Message] = field(default_factory=list)
    refused: Message | None = None


def read_submission(
    path: Path, template: Template, translations: Mapping[str, Template] | None = None, reads: str = ""
) -> Submission:
    """Read a submitted file.  Never raises for what the file holds.

    Args:
        path: The file.
        template: The released notebook.
        translations: The same in other languages: which one is meant, the file's metadata says; of a file that cannot
            be read, the others of its submission.
        reads: The language of whoever handed it in, if nothing in the submission says one.

    Returns:
        A notebook that can be graded, or why there is none.
    """
    try:
        cells, language = _read_cells(path)
        template = (translations or {}).get(language, template)
    except Unreadable as problem:
        template = (translations or {}).get(_language_beside(path) or reads, template)
        blank = numbered([_as_released(cell) for cell in template.cells], template.metadata)
        return Submission(blank, template, refused=problem.said.having(file=path.name))
    return restore(cells, template)


def restore(cells: list[dict[str, Any]], template: Template) -> Submission:
    """Put the student's cells into the frame of the release.

    Args:
        cells: The student's, checked: each has a kind and a text.
        template: The frame.

    Returns:
        A notebook in which known cells stand once, locked ones with the text of the release, and missing ones are
        added; and notes on what was repaired.
    """
    known = template.by_id
    notes: list[Message] = []
    placed: set[str] = set()
    restored: list[NotebookNode] = []
    for number, raw in enumerate(cells, 1):
        identity = _claimed_id(raw)
        original = known.get(identity)
        if original is not None and identity in placed:
            notes.append(Message.of("copied_cell", number=number, cell=identity))
            original = None
        if original is None:
            cell = new_cell(raw["cell_type"], raw["source"])
        else:
            placed.add(identity)
            cell = _as_released(original)
            if not original.metadata.nbgrader.get("locked"):
                cell.source = raw["source"]
        if cell.cell_type == "markdown" and raw["attachments"]:
            cell.attachments = NotebookNode(raw["attachments"])
        restored.append(cell)
    if not placed:
        notes.append(Message.of("foreign_notebook", notebook=template.name))
    _add_missing(restored, template, placed, notes)
    return Submission(numbered(restored, template.metadata), template, notes)


def _add_missing(cells: list[NotebookNode], template: Template, placed: set[str], notes: list[Message]) -> None:
    """Add each missing cell right before the next one that is there, else at the end.

    A missing solution cell stays away: its stub would overwrite work the student moved to another cell.
    """
    for position, original in enumerate(template.cells):
        nbgrader = original.metadata.nbgrader
        stub = nbgrader.get("solution") and not nbgrader.get("grade")
        if nbgrader.grade_id in placed:
            continue
        if stub:
            notes.append(Message.of("missing_cell", cell=nbgrader.grade_id))
            continue
        later = {cell.metadata.nbgrader.grade_id for cell in template.cells[position + 1 :]}
        spot = next(
            (index for index, cell in enumerate(cells) if cell.metadata.get("nbgrader", {}).get("grade_id") in later),
            len(cells),
        )
        cells.insert(spot, _as_released(original))
        placed.add(nbgrader.grade_id)
        notes.append(Message.of("added_cell", cell=nbgrader.grade_id))


def _as_released(original: NotebookNode) -> NotebookNode:
    cell = new_cell(original.cell_type, original.source)
    cell.metadata = copy.deepcopy(original.metadata)
    if original.metadata.nbgrader.get("locked"):
        # nbgrader brings back the source with its hidden part, which has another checksum.
        cell.metadata.nbgrader.pop("checksum", None)
    return cell


def _claimed_id(raw: dict[str, Any]) -> str:
    metadata = raw["metadata"]
    nbgrader = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    identity = nbgrader.get("grade_id") if isinstance(nbgrader, dict) else None
    return identity if isinstance(identity, str) else ""


def _what_came_instead(missing: Path) -> Message:
    """The other notebooks of the submission: one of them may be the missing one under another name."""
    beside = missing.parent.glob("*") if missing.parent.is_dir() else []
    found = sorted(path.name for path in beside if path.suffix.lower() == ".ipynb" and path != missing)[:5]
    if not found:
        return Message("refused_missing")
    return Message.of("refused_beside", found=", ".join(repr(strip_control(name)[:80]) for name in found))


def _read_cells(path: Path) -> tuple[list[dict[str, Any]], str]:
    """Return cells as plain dicts: cell_type, source, metadata, attachments; and the language that the file names.

    Raises:
        Unreadable: If it is no notebook.
    """
    if path.is_symlink():
        raise Unreadable(Message("refused_link"))
    if not path.is_file():
        raise Unreadable(_what_came_instead(path))
    if path.stat().st_size > MAX_BYTES:
        raise Unreadable(Message.of("refused_size", mib=MAX_BYTES // MIB))
    content = path.read_bytes()
    if next(itertools.islice(VALUE.finditer(content), MAX_VALUES, None), None) is not None:
        raise Unreadable(Message.of("refused_values", values=MAX_VALUES))
    try:
        data = json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise Unreadable(Message("refused_no_json")) from None
    cells = _cells_of(data)
    if cells is None:
        raise Unreadable(Message("refused_no_cells"))
    if len(cells) > MAX_CELLS:
        raise Unreadable(Message.of("refused_many_cells", cells=MAX_CELLS))
    return [cell for cell in map(_plain_cell, cells) if cell is not None], _claimed_language(data)


def _language_beside(path: Path) -> str:
    """The language that the other notebooks of a submission name, the first that names one."""
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
    """Return the cells of a notebook in any of its formats; None if it is none.

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
    """Pictures that a student put into a written answer; nothing else is kept."""
    if not isinstance(attachments, dict):
        return {}
    return {
        strip_surrogates(name): {
            kind: strip_surrogates(data) for kind, data in bundle.items() if kind in PICTURES and isinstance(data, str)
        }
        for name, bundle in attachments.items()
        if isinstance(bundle, dict)
    }
