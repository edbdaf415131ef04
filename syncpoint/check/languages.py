"""The languages of a release: switches the notebooks to another one if nothing would be lost."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from ..core.language import SOURCE
from ..core.messages import listed, say

LANGUAGES_FOLDER = "languages"  # next to the notebooks: for each language, the files that differ
METADATA = "syncpoint_language"


def change(folder: Path, wanted: str) -> str:
    """Put the files of a language in place, and return a sentence on what was done, or why nothing was.

    The current files are kept, so that their language can be put back.
    """
    others = sorted(path.name for path in (folder / LANGUAGES_FOLDER).glob("[!._]*") if path.is_dir())
    if not others:
        return say("language_none")
    now = _language_of(folder)
    if wanted not in others or wanted == now:
        return say("language_usage", languages=listed(name for name in others if name != now))
    source = folder / LANGUAGES_FOLDER / wanted
    files = [path.relative_to(source) for path in sorted(source.rglob("*")) if path.is_file()]
    cells = [cell for path in files if path.suffix == ".ipynb" for cell in _answered_cells(folder / path)]
    if cells:
        return say("language_touched", cells=listed(f"`{cell}`" for cell in cells))
    for path in files:
        if (folder / path).is_file():
            _copy(folder / path, folder / LANGUAGES_FOLDER / now / path)
        _copy(source / path, folder / path)
    return say("language_done", language=wanted)


def _copy(path: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(path.read_bytes())


def _language_of(folder: Path) -> str:
    for path in sorted(folder.glob("*.ipynb")):
        named = _read(path).get("metadata", {}).get(METADATA)
        if isinstance(named, str):
            return named
    return SOURCE


def _answered_cells(path: Path) -> list[str]:
    """Return a notebook's answer cells with a student's text; nbgrader has stored their original checksums."""
    touched = []
    for cell in _read(path).get("cells", []):
        marks = cell.get("metadata", {}).get("nbgrader", {})
        if marks.get("solution") and marks.get("checksum") != _checksum(cell, marks):
            touched.append(str(marks.get("grade_id", "")))
    return touched


def _checksum(cell: dict[str, Any], marks: dict[str, Any]) -> str:
    """Return nbgrader's checksum of a cell (`nbgrader.utils.compute_checksum`)."""
    source = cell.get("source", "")
    text = "".join(source) if isinstance(source, list) else source
    parts = [text, cell.get("cell_type", ""), *(str(bool(marks.get(kind))) for kind in ("grade", "solution", "locked"))]
    parts.append(marks.get("grade_id", ""))
    if marks.get("grade"):
        parts.append(str(float(marks.get("points", 0))))
    return hashlib.md5("".join(parts).encode()).hexdigest()


def _read(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}
