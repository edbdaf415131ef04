"""What a cheat can do to the notebooks it hands in, and to what lies beside them."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_raw_cell

from ..demo.papers import Papers


@dataclass(frozen=True)
class Part:
    """One thing that a cheat does to the released notebooks.

    what: a key of PARTS.  where: the cell, the file or the kind that it is done to.  text: what is put there.
    """

    what: str
    where: str
    text: str

    @property
    def is_about_a_cell(self) -> bool:
        """Whether ``where`` is the id of a cell."""
        return self.what not in ("first", "last", "notebook", "note", "raw", FILE)

    def change(self, papers: Papers) -> None:
        """Do it.  Raises StopIteration or ValueError if it does not fit the notebooks."""
        PARTS[self.what](papers, self)

    def lay_beside(self, folder: Path) -> None:
        """Write the file, if the part is one."""
        if self.what == FILE:
            path = folder / self.where
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(self.text)


def _cell(papers: Papers, part: Part) -> None:
    """The text takes the place of the cell's own."""
    papers.cell(part.where).source = part.text


def _before(papers: Papers, part: Part) -> None:
    """A cell of the student's own before that cell."""
    papers.insert_before(part.where, part.text)


def _after(papers: Papers, part: Part) -> None:
    """A cell of the student's own after that cell."""
    cells = papers.cells_around(part.where)
    cells.insert(cells.index(papers.cell(part.where)) + 1, new_code_cell(part.text))


def _first(papers: Papers, part: Part) -> None:
    """A cell of the student's own before everything else."""
    for notebook in papers.notebooks.values():
        notebook.cells.insert(0, new_code_cell(part.text))


def _last(papers: Papers, part: Part) -> None:
    """A cell of the student's own after everything else."""
    for notebook in papers.notebooks.values():
        notebook.cells.append(new_code_cell(part.text))


def _copy(papers: Papers, part: Part) -> None:
    """A second cell with the same metadata before that cell, with another text."""
    original = papers.cell(part.where)
    cells = papers.cells_around(part.where)
    copied = new_code_cell(part.text, metadata=json.loads(json.dumps(original.metadata)))
    cells.insert(cells.index(original), copied)


def _delete(papers: Papers, part: Part) -> None:
    """The cell is gone."""
    papers.delete(part.where)


def _metadata(papers: Papers, part: Part) -> None:
    """The JSON object in the comment lines is merged into the cell's metadata."""
    _merge(papers.cell(part.where).metadata, _json(part))


def _outputs(papers: Papers, part: Part) -> None:
    """The JSON list in the comment lines takes the place of the cell's saved outputs."""
    papers.cell(part.where).outputs = [NotebookNode(output) for output in _json(part)]


def _notebook(papers: Papers, part: Part) -> None:
    """The JSON object in the comment lines is merged into the metadata of each notebook."""
    for notebook in papers.notebooks.values():
        _merge(notebook.metadata, _json(part))


def _attachments(papers: Papers, part: Part) -> None:
    """The JSON object in the comment lines takes the place of the pictures in a written answer."""
    papers.cell(part.where).attachments = _json(part)


def _kind(papers: Papers, part: Part) -> None:
    """The cell becomes one of another kind, the word in the text, and keeps its id."""
    papers.cell(part.where).cell_type = part.text.strip()


def _note(papers: Papers, part: Part) -> None:
    """A cell with text at the end; ``where`` is its kind, markdown or raw."""
    for notebook in papers.notebooks.values():
        notebook.cells.append({"markdown": new_markdown_cell, "raw": new_raw_cell}[part.where](part.text))


def _raw(papers: Papers, part: Part) -> None:
    """The text takes the place of the whole file."""
    papers.spoilt = dict.fromkeys(papers.notebooks, part.text)
    papers.notebooks.clear()


def _file(_: Papers, __: Part) -> None:
    """A file beside the notebook: written when the rest is."""


def _json(part: Part) -> Any:
    return json.loads("".join(line.removeprefix("#") for line in part.text.splitlines()))


def _merge(into: dict[str, Any], data: dict[str, Any]) -> None:
    for key, value in data.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            _merge(into[key], value)
        else:
            into[key] = value


PARTS: dict[str, Callable[[Papers, Part], None]] = {
    function.__name__.removeprefix("_"): function
    for function in (
        _cell, _before, _after, _first, _last, _copy, _delete, _metadata, _outputs, _attachments, _kind, _note,
        _notebook, _raw, _file,
    )
}  # fmt: skip
FILE = "file"
