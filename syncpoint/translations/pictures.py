"""The drawing modules next to the notebooks, and which of their texts appear in pictures: locale/pictures.toml."""

import tomllib
from pathlib import Path

from ..course.folder import Course
from .code import Drawn

FILE = "pictures.toml"


def modules(course: Course, assignment: str) -> list[Path]:
    """Return the modules next to the notebooks of an assignment."""
    return [path for path in course.source(assignment).files() if path.suffix == ".py"]


def drawn_by(course: Course, module: Path) -> Drawn:
    path = course.root / "locale" / FILE
    listed = tomllib.loads(path.read_text(encoding="utf-8")).get(module.stem, {}) if path.is_file() else {}
    return Drawn(frozenset(listed.get("words", ())), frozenset(listed.get("data", ())))
