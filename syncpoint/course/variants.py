"""Variants: values that differ between students, such as constants, shapes and names.

``[variants]`` in assignment.toml lists the values of each name. Notebooks, visible modules and the bank show the value
in each place ``{{name}}``. A release has the first values, and keeps the text with the places next to each such cell.
"""

import json
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from ..core.variants import PLACE, fill, values_of

PLACE_IN_BYTES = re.compile(PLACE.pattern.encode())
TEXT = "syncpoint_variants"  # in a released cell's metadata: its text with placeholders
VALUES = "{place} must be a list of numbers, texts or lists of them, or {{from = 8, to = 64, step = 8}}."


@dataclass(frozen=True)
class Variants:
    """The possible values of each name; without names, everybody has the same assignment."""

    choices: Mapping[str, Sequence[Any]] = field(default_factory=dict)

    def number(self, number: int = 0) -> str:
        """Return a variant: 0 is the release's, and the next ones cover every value."""
        return self._variant({name: values[number % len(values)] for name, values in self.choices.items()})

    def draw(self) -> str:
        """Return a variant that nobody can predict."""
        return self._variant({name: secrets.choice(values) for name, values in self.choices.items()})

    def now(self, drawn: str) -> str:
        """Return an earlier variant with today's names. New names have their first values."""
        known = json.loads(drawn or "{}")
        return self._variant({name: known.get(name, values[0]) for name, values in self.choices.items()})

    def unused(self, folder: Path) -> str:
        """Return the names without a placeholder in any notebook of a source or release; "" if there are none."""
        texts = [path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.ipynb"))]
        return ", ".join(sorted(self.choices.keys() - set(PLACE.findall("".join(texts)))))

    def in_other_files(self, folder: Path) -> str:
        """Return the files other than notebooks that have a place: everybody gets the same; "" if there are none."""
        if not self.choices:
            return ""
        others = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix != ".ipynb"]
        names = {name.encode() for name in self.choices}
        shown = [path for path in others if not names.isdisjoint(PLACE_IN_BYTES.findall(path.read_bytes()))]
        found = [path.relative_to(folder).parts for path in shown]
        return ", ".join("/".join(parts) for parts in found if not any(part[0] in "._" for part in parts))

    def _variant(self, values: Mapping[str, Any]) -> str:
        return json.dumps(values, sort_keys=True) if values else ""


def read_variants(path: Path, table: Any) -> Variants:
    """Read the table ``[variants]`` of an assignment.toml, or raise ValueError with the file and the key."""
    if not isinstance(table, dict):
        raise ValueError(f"{path}: variants must be a table, [variants].")
    return Variants({name: _choices(f"{path}: variants.{name}", name, values) for name, values in table.items()})


def _choices(place: str, name: str, values: Any) -> Sequence[Any]:
    if not name.isidentifier():
        raise ValueError(f"{place}: a name has letters, digits and _ only.")
    if isinstance(values, dict) and {"from", "to"} <= values.keys() <= {"from", "to", "step"}:
        step = values.get("step", 1)
        if all(type(number) is int for number in values.values()) and step > 0:
            values = range(values["from"], values["to"] + 1, step)
    if not isinstance(values, (list, range)) or not values or not _is_plain(values):
        raise ValueError(VALUES.format(place=place))
    return values


def _is_plain(value: Any) -> bool:
    return isinstance(value, (int, float, str, range)) or (isinstance(value, list) and all(map(_is_plain, value)))


def fill_notebook(notebook: NotebookNode, variant: str) -> NotebookNode:
    """Show the values of a variant in the cells of a source or of a release, which is returned."""
    if not variant:
        return notebook
    from nbgrader.utils import compute_checksum  # importing takes a second, and few assignments need it

    for cell in notebook.cells:
        source = fill(cell.metadata.get(TEXT, cell.source), variant)
        if source != cell.source:
            cell.source = source
            if "checksum" in cell.metadata.get("nbgrader", {}):  # nbgrader recognizes an unwritten answer by it
                cell.metadata.nbgrader["checksum"] = compute_checksum(cell)
    return notebook


def keep_places(notebook: NotebookNode, variant: str) -> NotebookNode:
    """Show a variant's values in a new release, and keep the placeholders for other variants."""
    names = values_of(variant).keys()
    for cell in notebook.cells:
        if not names.isdisjoint(PLACE.findall(cell.source)):
            cell.metadata[TEXT] = cell.source
    return fill_notebook(notebook, variant)
