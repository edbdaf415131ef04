"""The intake: whatever a submitted file holds, a notebook comes out that nbgrader can grade."""

import copy
import json
import tracemalloc
from pathlib import Path
from typing import Any

import nbformat
import pytest
from classroom import Read

from syncpoint.course import intake
from syncpoint.course.intake import StudentNotebook, Template, read_notebook

IDS = ["imports", "", "f", "test_f", "why"]


def _ids(submission: StudentNotebook) -> list[str]:
    return [cell.metadata.get("nbgrader", {}).get("grade_id", "") for cell in submission.notebook.cells]


def test_an_untouched_release_passes_unmarked(read: Read, plain: dict[str, Any]):
    submission = read(plain)
    assert (_ids(submission), submission.notes, submission.refused) == (IDS, [], None)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"hello",
        b"\xff\xfe\x00",
        b"[" * 100_000,
        b"{" + b'"a":{' * 100_000,
        b"null",
        b"5",
        b"[]",
        b"{}",
        b'{"cells": null}',
        b'{"cells": {}}',
        b'{"nbformat": 3}',
        b'{"nbformat": 3, "worksheets": 5}',
        b'{"nbformat": 2, "worksheets": [{"cells": 5}]}',
        b'{"nbformat": 3, "worksheets": [5]}',
        b'{"nbformat": 1}',
        b'{"nbformat": 99}',
        b"1" * 10_000,
        b"import os\n",
    ],
)
def test_what_is_no_notebook_is_refused_with_the_released_cells(read: Read, content: bytes):
    submission = read(content)
    refused = str(submission.refused).startswith("work.ipynb is not a notebook")
    assert (refused, _ids(submission)) == (True, [identity for identity in IDS if identity])


def test_a_missing_file_is_refused(release: Path, tmp_path: Path):
    submission = read_notebook(tmp_path / "handed in" / "nothing.ipynb", Template.read(release))
    assert str(submission.refused) == "nothing.ipynb was not submitted, so nothing in it could be graded."


def test_a_folder_is_refused(release: Path, tmp_path: Path):
    (tmp_path / "work.ipynb").mkdir()
    assert "was not submitted" in str(read_notebook(tmp_path / "work.ipynb", Template.read(release)).refused)


@pytest.mark.parametrize("target", ["release.ipynb", "nowhere.ipynb"])
def test_a_link_is_refused(release: Path, tmp_path: Path, target: str):
    (tmp_path / "work.ipynb").symlink_to(tmp_path / target)
    assert "is a link to another file" in str(read_notebook(tmp_path / "work.ipynb", Template.read(release)).refused)


def test_a_file_that_is_too_large_is_refused(read: Read, monkeypatch: pytest.MonkeyPatch, plain: dict[str, Any]):
    monkeypatch.setattr(intake, "MAX_BYTES", 2**20)
    plain["cells"][1]["source"] = "x" * 2**20
    assert str(read(plain).refused).startswith("work.ipynb is larger than 1 MiB")


SHARE = 8  # of the largest file and of the most values: what takes memory takes it in proportion
RICH = {  # 19 MiB of each, which Python's reader made up to 1 GiB of, in up to 4 s
    "empty lists": lambda share: b"[" + b"[]," * (6_600_000 // share) + b"0]",
    "lists in lists": lambda share: b"[" + (b"[" * 400 + b"]" * 400 + b",") * (24_000 // share) + b"0]",
    "small dicts": lambda share: b"[" + b'{"":0},' * (2_800_000 // share) + b"0]",
    "brackets": lambda share: b"[" * (19 * 2**20 // share),
    "texts that end nowhere": lambda share: b'"' + rb"\"[" * (6_600_000 // share),
}


@pytest.mark.parametrize("share", [SHARE, pytest.param(1, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("kind", RICH)
def test_no_file_takes_far_more_memory_than_it_has_bytes(
    read: Read, monkeypatch: pytest.MonkeyPatch, kind: str, share: int
):
    monkeypatch.setattr(intake, "MAX_VALUES", intake.MAX_VALUES // share)
    content = RICH[kind](share)
    tracemalloc.start()
    try:
        submission = read(content)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert submission.refused is not None and peak < 100 * 2**20 // share


def test_what_texts_hold_are_no_values(read: Read, monkeypatch: pytest.MonkeyPatch, plain: dict[str, Any]):
    monkeypatch.setattr(intake, "MAX_VALUES", 1000)
    plain["cells"][1]["source"] = r'print("[{1, 2}]", "\"[", 3)' * 1000
    assert read(plain).refused is None
    plain["cells"][1]["outputs"] = [[]] * 1000
    assert "holds more than 1000 values, so nothing" in str(read(plain).refused)


def test_too_many_cells_are_refused(read: Read, plain: dict[str, Any]):
    plain["cells"] += [plain["cells"][1]] * intake.MAX_CELLS
    assert "has more than 2000 cells" in str(read(plain).refused)


def test_a_version_3_notebook_is_converted(read: Read, plain: dict[str, Any]):
    old = nbformat.convert(nbformat.reads(json.dumps(plain), as_version=4), 3)
    submission = read(json.loads(json.dumps(old)))
    assert (_ids(submission), submission.refused) == (IDS, None)


def test_another_assignments_notebook_is_named_as_such(read: Read, plain: dict[str, Any]):
    plain["cells"] = [{"cell_type": "code", "source": "x", "metadata": {"nbgrader": {"grade_id": "other"}}}]
    assert "Is it from another assignment?" in str(read(plain).notes[0])


def test_a_notebook_without_metadata_keeps_its_code(read: Read, plain: dict[str, Any]):
    for cell in plain["cells"]:
        del cell["metadata"]
    del plain["metadata"]
    sources = [cell.source for cell in read(plain).notebook.cells]
    assert "def f(): pass" in sources


@pytest.mark.parametrize("identity", ["imports", "test_f", "why"])
def test_a_deleted_cell_comes_back_in_its_place(read: Read, plain: dict[str, Any], identity: str):
    plain["cells"] = [cell for cell in plain["cells"] if _claims(cell) not in (identity, "")]
    submission = read(plain)
    assert _ids(submission) == [i for i in IDS if i]
    assert list(map(str, submission.notes)) == [f"The cell `{identity}` was missing and was added again."]


def _claims(cell: dict[str, Any]) -> str:
    return cell["metadata"].get("nbgrader", {}).get("grade_id", "")


def test_a_deleted_solution_is_not_replaced_by_its_stub(read: Read, plain: dict[str, Any]):
    del plain["cells"][2]
    submission = read(plain)
    assert (_ids(submission), list(map(str, submission.notes))) == (
        ["imports", "", "test_f", "why"],
        ["The cell `f` is missing, and no other cell defines what it asks for."],
    )


@pytest.mark.parametrize("place", range(len(IDS)))
def test_of_two_equal_copies_the_first_counts(read: Read, plain: dict[str, Any], place: int):
    plain["cells"].append(copy.deepcopy(plain["cells"][place]))
    submission = read(plain)
    assert _ids(submission) == [*IDS, ""]
    assert len(submission.notes) == (1 if IDS[place] in ("imports", "test_f") else 0)


def test_in_a_notebook_turned_upside_down_the_course_comes_in_its_order(read: Read, plain: dict[str, Any]):
    plain["cells"].reverse()
    assert _ids(read(plain)) == ["imports", "why", "", "f", "", "", "test_f"]


def test_a_renamed_grade_cell_is_added_under_its_own_name(read: Read, plain: dict[str, Any]):
    plain["cells"][3]["metadata"]["nbgrader"]["grade_id"] = "mine"
    assert _ids(read(plain)) == ["imports", "", "f", "", "test_f", "why"]


def test_a_cell_that_changed_its_type_takes_the_released_type(read: Read, plain: dict[str, Any]):
    plain["cells"][3]["cell_type"] = "markdown"
    assert [cell.cell_type for cell in read(plain).notebook.cells][3] == "code"


@pytest.mark.parametrize(
    "edit",
    [
        {"points": "abc"},
        {"points": 1000},
        {"points": None},
        {"points": -4},
        {"locked": False},
        {"grade": False},
        {"solution": True},
        {"task": True},
        {"schema_version": 1},
        {"schema_version": "x"},
        {"checksum": "forged"},
        {"cell_type": "markdown"},
    ],
)
def test_nothing_that_nbgrader_wrote_can_be_changed(read: Read, plain: dict[str, Any], edit: dict[str, Any]):
    expected = read(copy.deepcopy(plain)).notebook.cells[3].metadata
    plain["cells"][3]["metadata"]["nbgrader"].update(edit)
    assert read(plain).notebook.cells[3].metadata == expected


def test_tags_of_a_student_are_dropped(read: Read, plain: dict[str, Any]):
    for cell in plain["cells"]:
        cell["metadata"]["tags"] = ["skip-execution"]
    assert [cell for cell in read(plain).notebook.cells if "tags" in cell.metadata] == []


def test_metadata_of_the_notebook_are_the_releases(read: Read, plain: dict[str, Any]):
    plain["metadata"] = {"kernelspec": {"name": "evil", "display_name": "", "language": "sh"}, "syncpoint": {"x": 1}}
    assert read(plain).notebook.metadata.kernelspec.name == "python3"
    assert "syncpoint" not in read(plain).notebook.metadata


def test_submitted_outputs_are_dropped(read: Read, plain: dict[str, Any]):
    plain["cells"][3]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "4"}]
    assert read(plain).notebook.cells[3].outputs == []


@pytest.mark.parametrize("metadata", [None, 5, [], {"nbgrader": 5}, {"nbgrader": {"grade_id": []}}])
def test_metadata_of_a_wrong_type_make_an_ordinary_cell(read: Read, plain: dict[str, Any], metadata: Any):
    plain["cells"][1]["metadata"] = metadata
    assert _ids(read(plain)) == IDS


@pytest.mark.parametrize("source", [5, None, {"a": 1}, [1, 2], True])
def test_a_cell_whose_source_is_no_text_counts_as_missing(read: Read, plain: dict[str, Any], source: Any):
    plain["cells"][3]["source"] = source
    assert "The cell `test_f` was missing and was added again." in map(str, read(plain).notes)


@pytest.mark.parametrize("place", [0, 3])
def test_a_locked_cell_has_the_text_of_the_release(read: Read, plain: dict[str, Any], place: int):
    released = "".join(plain["cells"][place]["source"])
    plain["cells"][place]["source"] = "x = 'mine'"
    assert read(plain).notebook.cells[place].source == released


def test_a_source_in_lines_is_joined(read: Read, plain: dict[str, Any]):
    plain["cells"][2]["source"] = ["def f():\n", "    return 1"]
    assert read(plain).notebook.cells[2].source == "def f():\n    return 1"


def test_a_lone_surrogate_can_be_written(read: Read, plain: dict[str, Any]):
    plain["cells"][2]["source"] = "x = '\ud800'"
    assert read(plain).notebook.cells[2].source == "x = '?'"


def test_pictures_of_a_written_answer_are_kept(read: Read, plain: dict[str, Any]):
    pictures = {"a.png": {"image/png": "aGVsbG8="}}
    plain["cells"][4]["attachments"] = pictures
    assert read(plain).notebook.cells[4].attachments == pictures


def test_a_lone_surrogate_in_an_attachment_can_be_written(read: Read, plain: dict[str, Any]):
    plain["cells"][4]["attachments"] = {"\ud800": {"image/png": "\ud800"}}
    assert read(plain).notebook.cells[4].attachments == {"?": {"image/png": "?"}}


def test_attachments_that_a_browser_would_run_are_dropped(read: Read, plain: dict[str, Any]):
    plain["cells"][4]["attachments"] = {"a.svg": {"image/svg+xml": "<svg onload=x>", "text/html": "<b>"}}
    assert not read(plain).notebook.cells[4].get("attachments", {}).get("a.svg")
