"""A release in another language equals the English one except for its texts: code, ids and points are the same."""

import ast
from pathlib import Path
from typing import Any

import nbformat
import pytest

from syncpoint.course.folder import Course
from syncpoint.course.released_notebooks import LANGUAGES
from syncpoint.translations import code

COURSE = Course(Path(__file__).resolve().parents[2])
RELEASED = [(language, name) for language in ("pt_BR", "zh_CN") for name in COURSE.assignments()]


def released(name: str, language: str) -> tuple[Path, Path]:
    english = COURSE.root / "release" / name
    return english, english / LANGUAGES / language


def marks(cell: nbformat.NotebookNode) -> dict[str, Any]:
    """What nbgrader knows of a cell: name, points and kind; its checksum is also one of the words."""
    return {key: value for key, value in cell.metadata.get("nbgrader", {}).items() if key != "checksum"}


class Wordless(ast.NodeTransformer):
    """Takes the texts out of code, which are the words of pictures; their places stay, in any order."""

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        return ast.Constant("") if isinstance(node.value, str) else node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.Tuple:
        places = [self.visit(part) for part in node.values if isinstance(part, ast.FormattedValue)]
        return ast.Tuple(sorted(places, key=ast.dump))


def code_of(module: Path) -> str:
    return ast.dump(Wordless().visit(ast.parse(module.read_text(encoding="utf-8"))))


@pytest.mark.parametrize(("language", "name"), RELEASED)
def test_notebooks_have_the_code_ids_and_points_of_the_english_ones(language: str, name: str):
    english, other = released(name, language)
    books = sorted(path.name for path in english.glob("*.ipynb"))
    assert books and books == sorted(path.name for path in other.glob("*.ipynb"))
    for book in books:
        ours, theirs = (nbformat.read(folder / book, as_version=4).cells for folder in (english, other))
        assert [(cell.id, cell.cell_type, marks(cell)) for cell in ours] == [
            (cell.id, cell.cell_type, marks(cell)) for cell in theirs
        ]
        pairs = [(one, two) for one, two in zip(ours, theirs, strict=True) if one.cell_type == "code"]
        assert [one.id for one, two in pairs if not code.same(one.source, two.source)] == []


@pytest.mark.parametrize(("language", "name"), RELEASED)
def test_modules_have_the_code_of_the_english_ones(language: str, name: str):
    english, other = released(name, language)
    modules = sorted(path.name for path in other.glob("*.py"))
    assert modules and [module for module in modules if code_of(english / module) != code_of(other / module)] == []
