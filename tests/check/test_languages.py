"""``%syncpoint language``: switches to another language as long as no answer has been written."""

import hashlib
import json
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import nbformat
import pytest
from classroom import ROOT
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from nbgrader.utils import compute_checksum

from syncpoint.check.languages import _checksum, change
from syncpoint.check.magic import load_ipython_extension
from syncpoint.check.visible_tests import LANGUAGE
from syncpoint.course.released_notebooks import LANGUAGES


def write(path: Path, title: str, language: str = "") -> None:
    """A released notebook with a text, a stub and a question."""
    kind = {"grade": False, "locked": False, "schema_version": 3, "solution": True, "task": False}
    stub = new_code_cell("def f():\n    raise NotImplementedError()", metadata={"nbgrader": {**kind, "grade_id": "f"}})
    asked = {**kind, "grade": True, "points": 3, "grade_id": "why"}
    answer = new_markdown_cell(f"{title}: ?", metadata={"nbgrader": asked})
    for cell in (stub, answer):
        cell.metadata.nbgrader["checksum"] = compute_checksum(cell)
    book = new_notebook(cells=[new_markdown_cell(f"# {title}"), stub, answer])
    if language:
        book.metadata["syncpoint_language"] = language
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(book, path)


def notebook_commands() -> dict[str, Any]:
    """The commands that the extension registers, in a stand-in for IPython's shell."""
    found: dict[str, Any] = {}
    load_ipython_extension(
        SimpleNamespace(
            user_ns={},
            input_transformers_cleanup=[],
            register_magic_function=lambda f, kind: found.update({f.__name__: f}),
        )
    )
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A student's release: a notebook and a picture in English, and both in Portuguese."""
    write(tmp_path / "work.ipynb", "Queue")
    (tmp_path / "pictures.py").write_text("TITLE = 'queue'\n")
    write(tmp_path / LANGUAGES / "pt_BR" / "work.ipynb", "Fila", "pt_BR")
    (tmp_path / LANGUAGES / "pt_BR" / "pictures.py").write_text("TITLE = 'fila'\n")
    return tmp_path


def state(folder: Path) -> dict[str, str]:
    """A digest of each file at the top."""
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.glob("*.*")}


def answer(path: Path, cell: int, text: str) -> None:
    book = nbformat.read(path, as_version=4)
    book.cells[cell].source = text
    nbformat.write(book, path)


def test_a_language_is_put_in_place_and_back(folder: Path):
    english = state(folder)
    assert "pt_BR" in change(folder, "pt_BR")
    assert "# Fila" in (folder / "work.ipynb").read_text()
    assert (folder / "pictures.py").read_text() == "TITLE = 'fila'\n"
    assert "now" in change(folder, "en")
    assert state(folder) == english


@pytest.mark.parametrize(("cell", "name"), [(1, "`f`"), (2, "`why`")])
def test_what_somebody_has_written_stays(folder: Path, cell: int, name: str):
    answer(folder / "work.ipynb", cell, "mine")
    before = state(folder)
    output = change(folder, "pt_BR")
    assert "Nothing was changed" in output and name in output
    assert state(folder) == before


def test_a_text_of_the_notebook_may_have_been_changed(folder: Path):
    answer(folder / "work.ipynb", 0, "# my notes")
    assert "Close this one" in change(folder, "pt_BR")


@pytest.mark.parametrize("wanted", ["", "xx", "../../etc", "en"])
def test_a_language_that_is_not_there_changes_nothing(folder: Path, wanted: str):
    before = state(folder)
    assert "one of these: pt_BR" in change(folder, wanted)
    assert state(folder) == before


def test_an_assignment_in_one_language_says_so(tmp_path: Path):
    assert change(tmp_path, "pt_BR") == "This assignment is available in one language only."


@pytest.mark.parametrize("points", [None, 2, 0.5])
def test_a_checksum_is_the_one_of_nbgrader(points: Any):
    marks = {"grade_id": "f", "solution": True, "locked": False, "grade": points is not None}
    marks |= {} if points is None else {"points": points}
    cell = new_code_cell("x = 'ação'\n", metadata={"nbgrader": marks})
    assert _checksum(json.loads(json.dumps(cell)), marks) == compute_checksum(cell)


def test_the_command_of_the_notebook_changes_the_language(folder: Path, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    commands = notebook_commands()
    commands["syncpoint"]("language pt_BR")
    assert "now in pt_BR" in capsys.readouterr().out


def test_a_release_without_visible_tests_also_has_its_language(tmp_path: Path, monkeypatch, capsys):
    monkeypatch.chdir(shutil.copytree(ROOT / "release" / "torch_memory", tmp_path / "torch_memory"))
    commands = notebook_commands()
    output = []
    for line in ("language pt_BR", "status", "language", "language en", "check fsdp_counts"):
        commands["syncpoint"](line)
        output.append(capsys.readouterr().out.strip())
    assert output[1].startswith("Não há informações sobre torch_memory: ")
    assert output[2].startswith("Digite `%syncpoint language` e ") and output[2].endswith("en, zh_CN.")
    assert output[4].startswith("Nothing was checked: this assignment has no checks.")  # English is back


@pytest.mark.parametrize(
    ("theirs", "put", "output"),
    [
        ("pt_BR", "", "Não há informações"),
        ("pt_BR", "zh_CN", "Não há informações"),
        ("en", "zh_CN", "No status for"),
        ("xx", "", "No status for"),
        ("../zh_CN", "", "No status for"),
        ("", "zh_CN", "没有torch_memory的状态"),
    ],
)
def test_a_hub_says_the_language_of_the_roster(tmp_path: Path, monkeypatch, capsys, theirs: str, put: str, output: str):
    folder = shutil.copytree(ROOT / "release" / "torch_memory", tmp_path / "torch_memory")
    monkeypatch.chdir(folder)
    if put:
        change(folder, put)
    monkeypatch.setenv(LANGUAGE, theirs)
    commands = notebook_commands()
    commands["syncpoint"]("status")
    assert capsys.readouterr().out.startswith(output)
