"""The problem with a damaged file or cell is named in one sentence, with the solution."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from classroom import Read

from syncpoint.course.intake import Template, read_notebook

NOTEBOOK = "{NOTEBOOK}"  # stands for the student's notebook as JSON of several lines


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        ("", "the file is empty"),
        (" \r\n\t", "the file is empty"),
        ("\0" * 4096, "it holds only zero bytes"),
        ("PK\x03\x04rest", "it is a zip archive"),
        ("%PDF-1.7\n", "it is a PDF"),
        ("version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "it is a pointer of Git LFS"),
        ('{"url": "https://drive/1", "doc_id": "1", "email": "a@b"}', "it is a shortcut to a file in a web drive"),
        ("<!DOCTYPE html>\n<html><body>Sign in</body></html>", "it is a web page"),
        ("\n<html lang='de'>Anmelden</html>", "it is a web page"),
        ("<HEAD><TITLE>504</TITLE></HEAD>", "it is a web page"),
        ("import torch\n\n\ndef f(x):\n    return x\n", "it is text that begins with 'import torch"),
        (base64.b64encode(b'{"cells": []}' * 9).decode(), "it is text that begins with 'eyJjZWxscyI6"),
        ('{\n "cells": [\n<<<<<<< HEAD\n  1\n=======\n  2\n>>>>>>> branch\n ]\n}', "line 3 has a conflict mark of git"),
        ('{"cells": [],\n "metadata": {\n', "it ends in the middle, in line 2"),
        ('{"cells": [{"cell_type": "code", "source": ["x = ', "it ends in the middle, in line 1"),
        ('{"cells": [\n {"source": "x"},\n]}', "line 3 has a comma before a closing bracket"),
        ('{"cells": [],}', "line 1 has a comma before a closing bracket"),
        ('{"cells": [\n {\'source\': "x"}]}', "line 2 is not JSON"),
        ('{"source": "a"}\n{"source": "b"}\n', "it holds several JSON values"),
        ('{"metadata": {}}', "it has no cells"),
    ],
)
def test_the_damage_of_a_file_is_named(read: Read, content: str, cause: str):
    refused = str(read(content.encode("latin-1")).refused)
    assert refused.startswith(f"work.ipynb is not a notebook: {cause}"), refused
    assert ", so nothing in it could be graded." in refused


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig", "utf-8"])
def test_a_notebook_in_another_encoding_is_read(read: Read, plain: dict[str, Any], encoding: str):
    plain["cells"][4]["source"] = "Weil es nicht wartet: 异步 ✓"
    submission = read(json.dumps(plain, ensure_ascii=False).encode(encoding))
    assert (submission.refused, submission.notes) == (None, [])
    assert submission.notebook.cells[4].source == "Weil es nicht wartet: 异步 ✓"


def test_letters_that_cannot_be_read_cost_no_code(read: Read, plain: dict[str, Any]):
    plain["cells"][2]["source"] = "def f(): return 'ä'"
    submission = read(json.dumps(plain, ensure_ascii=False).encode("cp1252"))
    assert [note.message.code for note in submission.notes] == ["not_utf8"]
    assert submission.notebook.cells[2].source == "def f(): return '\N{REPLACEMENT CHARACTER}'"


@pytest.mark.parametrize("tail", ['"older": 1}]}', '{"cells": []}', "}\n}", "garbage"])
def test_what_comes_after_a_notebook_is_left_out(read: Read, plain: dict[str, Any], tail: str):
    plain["cells"][2]["source"] = "def f(): return 5"
    submission = read(json.dumps(plain, indent=1) + "\n" + tail)
    assert [note.message.code for note in submission.notes] == ["more_than_a_notebook"]
    assert submission.notebook.cells[2].source == "def f(): return 5"


@pytest.mark.parametrize(
    "name", ["work.ipynb.json", "work.ipynb.txt", "work.ipynb (1)", "work\uff0eipynb", "WORK.IPYNB", "work (1).ipynb"]
)
@pytest.mark.parametrize("content", [None, b"", b'{"cells": []}'])
def test_a_file_that_may_be_the_missing_one_is_named(release: Path, tmp_path: Path, name: str, content: bytes | None):
    folder = tmp_path / "handed-in"
    folder.mkdir()
    for other in (name, "memory.ipynb", "notes.txt"):
        (folder / other).write_text("{}")
    if content is not None:
        (folder / "work.ipynb").write_bytes(content)
    submission = read_notebook(folder / "work.ipynb", Template.read(release))
    reported = " ".join([str(submission.refused), *map(str, submission.notes)])
    assert repr(name) in reported and "memory" not in reported and "notes" not in reported, reported


def test_without_one_that_is_alike_all_others_are_named(release: Path, tmp_path: Path):
    folder = tmp_path / "handed-in"
    folder.mkdir()
    for other in ("homework.ipynb", "memory.ipynb", "mine.ipynb", "notes.txt"):
        (folder / other).write_text("{}")
    (release.parent / "memory.ipynb").write_bytes(release.read_bytes())  # another one of the assignment
    refused = str(read_notebook(folder / "work.ipynb", Template.read(release)).refused)
    assert "(the folder contains 'homework.ipynb', 'mine.ipynb')" in refused


def test_cells_of_another_version_are_named(read: Read, plain: dict[str, Any]):
    plain["cells"][2]["metadata"]["nbgrader"]["grade_id"] = "old_f"
    plain["cells"][2]["source"] = "def old(): pass"
    reported = [note for note in read(plain).notes if note.message.code == "older_release"]
    assert [(str(note).count("(old_f)"), note.exercise) for note in reported] == [(1, "")]


@pytest.mark.parametrize(
    ("source", "cause"),
    [
        ("%%html\ndef f(): pass", "begins with %%html"),
        ("\n%%writefile f.py\ndef f(): pass", "begins with %%writefile"),
        ("%%bash\necho", "begins with %%bash"),
        ("%%script python\ndef f(): return 1", "begins with %%script"),
        ("%%timeit\ndef f(): return 1", "begins with %%timeit"),
        ("```python\ndef f(): return 1\n```", "begins with ```"),
        ("  ```\ndef f(): return 1\n```", "begins with ```"),
    ],
)
def test_an_answer_that_is_not_python_is_reported(read: Read, plain: dict[str, Any], source: str, cause: str):
    plain["cells"][2]["source"] = source
    (note,) = read(plain).notes
    assert (note.exercise, str(note).startswith(f"Cell 3 (`f`) {cause}")) == ("test_f", True), str(note)


@pytest.mark.parametrize("kind", ["markdown", "raw"])
def test_so_is_one_that_was_turned_into_text(read: Read, plain: dict[str, Any], kind: str):
    plain["cells"][2].update(cell_type=kind, source="```python\ndef f(): return 1\n```")
    assert [note.message.code for note in read(plain).notes] == ["fenced_cell"]


@pytest.mark.parametrize("source", ["%%time\ndef f(): return 1", "%%capture\ndef f(): return 1", "# ``` \nx = 1"])
def test_magics_that_keep_what_is_defined_are_no_trouble(read: Read, plain: dict[str, Any], source: str):
    plain["cells"][2]["source"] = source
    assert read(plain).notes == []


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("%reset -f", "Cell 2 has %reset"),
        ("x = 1\n  %reset", "Cell 2 has %reset"),
        ("get_ipython().run_line_magic('reset', '-f')", "Cell 2 has %reset"),
        ("get_ipython().reset()", "Cell 2 has %reset"),
        ("torch.set_default_device('cpu')", "Cell 2 calls torch.set_default_device,"),
        ("import torch\ntorch.set_grad_enabled(False)", "Cell 2 calls torch.set_grad_enabled,"),
        ("torch.set_default_dtype(torch.float64)", "Cell 2 calls torch.set_default_dtype,"),
        ("mx.autograd.set_recording(True)", "Cell 2 calls mx.autograd.set_recording,"),
        ("npx.set_np()", "Cell 2 calls npx.set_np,"),
        ("os.chdir('/tmp')", "Cell 2 calls os.chdir,"),
        ("sys.setrecursionlimit(50)", "Cell 2 calls sys.setrecursionlimit,"),
        ("warnings.simplefilter('error')", "Cell 2 calls warnings.simplefilter,"),
        ("np.seterr(all='raise')", "Cell 2 calls np.seterr,"),
    ],
)
def test_what_stays_in_force_is_named(read: Read, plain: dict[str, Any], source: str, output: str):
    plain["cells"][1] = {"cell_type": "code", "source": source, "metadata": {}}
    (note,) = read(plain).notes
    assert (note.exercise, str(note).startswith(output)) == ("", True), str(note)


@pytest.mark.parametrize(
    "source",
    [
        "def g():\n    torch.set_grad_enabled(False)",
        "with torch.no_grad():\n    pass",
        "warnings.filterwarnings('ignore')",
        "%reset_selective x",
        "# torch.set_default_dtype(torch.float64)",
    ],
)
def test_what_ends_with_its_cell_is_not(read: Read, plain: dict[str, Any], source: str):
    plain["cells"][1] = {"cell_type": "code", "source": source, "metadata": {}}
    assert read(plain).notes == []
