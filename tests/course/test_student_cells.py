"""Several copies of a cell: which one counts, where the tests run, and which report mentions it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from syncpoint.core.results import Note
from syncpoint.course.intake import StudentNotebook, Template, read_notebook

STUB = "def {0}(x):\n    raise NotImplementedError()"
RIGHT = "def {0}(x):\n    return {1}"
TEST, CHECK, UNWRITTEN = "# tests", "check()", "YOUR ANSWER HERE"
NEW = {"code": new_code_cell, "markdown": new_markdown_cell}

Cells = list[tuple[str, str]]
Submit = Callable[[Cells], StudentNotebook]


def cell(identity: str, source: str) -> Any:
    """A cell of the release by its name; one without a name is code, "text" is Markdown."""
    kinds: dict[str, dict[str, Any]] = {
        "f": {"solution": True},
        "g": {"solution": True},
        "why": {"solution": True, "grade": True, "points": 2},
        "check_f": {"locked": True},
        "test_f": {"locked": True, "grade": True, "points": 4},
        "test_g": {"locked": True, "grade": True, "points": 4},
        "imports": {"locked": True},
    }
    made = NEW["markdown" if identity in ("why", "text") else "code"](source)
    if identity in kinds:
        about = {"grade_id": identity, "schema_version": 3, "grade": False, "solution": False, "locked": False}
        made.metadata["nbgrader"] = {**about, **kinds[identity]}
    return made


RELEASED: Cells = [
    ("imports", "import os"),
    ("text", "Write f."),
    ("f", STUB.format("f")),
    ("check_f", CHECK),
    ("test_f", TEST),
    ("text", "Write g."),
    ("g", STUB.format("g")),
    ("test_g", TEST),
    ("why", UNWRITTEN),
    ("text", "The end."),
]


@pytest.fixture
def submit(tmp_path: Path) -> Submit:
    """Take in a notebook of these cells."""
    release, work = tmp_path / "release.ipynb", tmp_path / "work.ipynb"
    nbformat.write(new_notebook(cells=[cell(*one) for one in RELEASED]), release)

    def take_in(cells: Cells) -> StudentNotebook:
        work.write_text(json.dumps(new_notebook(cells=[cell(*one) for one in cells])))
        submission = read_notebook(work, Template.read(release))
        nbformat.validate(submission.notebook)
        return submission

    return take_in


def with_cells(change: dict[int, Cells]) -> Cells:
    """The release with other cells in these places; behind the last one is place 10."""
    places = [change.get(number, [one]) for number, one in enumerate([*RELEASED, None])]
    return [one for place in places for one in place if one is not None]


def frame(submission: StudentNotebook) -> list[str]:
    """The ids of the cells that have one, in order."""
    ids = (one.metadata.get("nbgrader", {}).get("grade_id", "") for one in submission.notebook.cells)
    return [identity for identity in ids if identity]


def source(submission: StudentNotebook, identity: str) -> str:
    """The text of the cell that counts."""
    (found,) = (
        one.source for one in submission.notebook.cells if one.metadata.get("nbgrader", {}).get("grade_id") == identity
    )
    return found


def defines(submission: StudentNotebook, name: str, test: str) -> int:
    """What a function returns when its test runs: its cells run in order, whatever fails."""
    names: dict[str, Any] = {"check": lambda: None}
    for one in submission.notebook.cells:
        if one.metadata.get("nbgrader", {}).get("grade_id") == test:
            break
        if one.cell_type == "code":
            exec(one.source, names)
    return names[name](None)


def output(submission: StudentNotebook) -> list[tuple[str, str]]:
    """The code of each note, and in whose report it stands."""
    return [(note.message.code, note.exercise) for note in submission.notes]


ORDER = ["imports", "f", "check_f", "test_f", "g", "test_g", "why"]
F1, F2, F3 = (("f", RIGHT.format("f", number)) for number in (1, 2, 3))
G1 = ("g", RIGHT.format("g", 1))
F_STUB, TEST_F, TEST_G = RELEASED[2], RELEASED[4], RELEASED[7]


@pytest.mark.parametrize(
    "cells",
    [
        pytest.param([TEST_F, TEST_G, *with_cells({2: [F1], 6: [G1]})], id="tests copied to the top"),
        pytest.param(with_cells({2: [TEST_F, F1], 4: [], 6: [G1]}), id="a test moved above its answer"),
        pytest.param(with_cells({2: [F1], 4: [TEST_G], 6: [G1], 7: [TEST_F]}), id="two tests swapped"),
        pytest.param([*with_cells({2: [F1], 6: [G1]}), TEST_G, TEST_F], id="tests copied to the end"),
        pytest.param(with_cells({2: [F1], 4: [], 6: [G1], 7: []}), id="tests deleted"),
        pytest.param(with_cells({0: [], 2: [F1], 6: [G1], 10: [RELEASED[0]]}), id="imports moved to the end"),
        pytest.param(with_cells({2: [F1], 3: [], 6: [G1, RELEASED[3]]}), id="a check moved down"),
        pytest.param(with_cells({2: [G1], 6: [F1], 4: [], 7: []}), id="answers swapped, tests deleted"),
        pytest.param(with_cells({2: [G1], 3: [], 4: [TEST_G], 6: [F1], 7: [TEST_F]}), id="exercises swapped"),
        pytest.param(with_cells({2: [F_STUB], 4: [], 6: [G1], 10: [F1]}), id="a copy at the end, the test deleted"),
        pytest.param(with_cells({2: [], 6: [G1], 10: [F1]}), id="the only answer moved to the end"),
    ],
)
def test_right_answers_count_wherever_the_courses_cells_were_put(submit: Submit, cells: Cells):
    submission = submit(cells)
    answers = ("f", "g", "why")
    assert [one for one in frame(submission) if one not in answers] == [one for one in ORDER if one not in answers]
    assert (defines(submission, "f", "test_f"), defines(submission, "g", "test_g")) == (1, 1)


def test_a_copied_test_does_not_run_again(submit: Submit):
    submission = submit(with_cells({2: [F1], 10: [TEST_F, ("", "print(1)")]}))
    assert [one.cell_type for one in submission.notebook.cells[-2:]] == ["raw", "code"]
    assert output(submission) == [("copied_cell", "test_f")]


def test_what_was_written_into_a_copy_of_a_courses_cell_runs(submit: Submit):
    submission = submit(with_cells({2: [F_STUB, ("check_f", RIGHT.format("f", 5))]}))
    assert defines(submission, "f", "test_f") == 5


@pytest.mark.parametrize(
    ("cells", "value", "codes"),
    [
        pytest.param({2: [F1, F2]}, 2, ["code_copies"], id="two changed ones"),
        pytest.param({2: [F_STUB, F1]}, 1, ["code_copies"], id="the first untouched"),
        pytest.param({2: [F1, F_STUB]}, 1, ["code_copies"], id="the last untouched"),
        pytest.param({2: [F1, F_STUB, F2, F_STUB]}, 2, ["code_copies"], id="changed and untouched in turn"),
        pytest.param({2: [F1], 10: [F2]}, 1, ["late_copy"], id="a corrected one after the tests"),
        pytest.param({2: [F1], 10: [F_STUB]}, 1, [], id="an untouched one after the tests"),
        pytest.param({2: [F_STUB], 3: [F1, RELEASED[3]]}, 1, ["code_copies"], id="below the stub"),
        pytest.param({2: [("", F1[1]), F_STUB]}, 1, ["code_copies"], id="in a cell without an id, above the stub"),
        pytest.param({2: [F_STUB, ("", F1[1])]}, 1, ["code_copies"], id="in a cell without an id, below the stub"),
        pytest.param({2: [("", F1[1])]}, 1, [], id="the id is lost"),
        pytest.param({0: [RELEASED[0], F1], 2: []}, 1, [], id="moved up"),
        pytest.param({2: [F1, ("", F2[1])]}, 2, ["code_copies"], id="written once more in a cell of its own"),
        pytest.param(
            {2: [F1, ("f", F_STUB[1] + "  # TODO")]}, 1, ["code_copies"], id="the last one a stub with a comment"
        ),
        pytest.param({2: [("", "f = lambda x: 1"), F_STUB]}, None, [], id="by a lambda above the stub"),
        pytest.param(
            {0: [RELEASED[0], ("", F1[1] + "\n" + G1[1])], 6: [RELEASED[6]]},
            None,
            ["code_copies"],
            id="all in one cell",
        ),
    ],
)
def test_the_last_changed_copy_before_the_tests_counts(
    submit: Submit, cells: dict[int, Cells], value: int | None, codes: list[str]
):
    submission = submit(with_cells({6: [G1], **cells}))
    assert sorted(output(submission)) == [(code, "test_f") for code in codes]
    if value is not None:  # else the stub keeps the id, and other cells define what it asks for
        assert source(submission, "f") == RIGHT.format("f", value)
    assert (defines(submission, "f", "test_f"), defines(submission, "g", "test_g")) == (value or 1, 1)


def test_an_answer_after_its_tests_does_not_count_and_this_is_reported(submit: Submit):
    submission = submit(with_cells({2: [F_STUB], 10: [F1]}))
    assert frame(submission) == ORDER and source(submission, "f") == F_STUB[1]
    assert str(submission.notes[0]) == (
        "Cell 11 comes after the tests of `f`, so cell 3 counts instead. "
        "If cell 11 is your answer, move it above the tests."
    )


def test_helpers_beside_an_answer_run(submit: Submit):
    more = [("", "def helper():\n    return 7"), ("f", "def f(x):\n    return helper()"), ("", "y = f(1)")]
    submission = submit(with_cells({2: more}))
    assert (defines(submission, "f", "test_f"), submission.notes) == (7, [])


def test_blanks_and_ends_of_lines_change_nothing(submit: Submit):
    windows = ("f", F_STUB[1].replace("\n", "  \r\n") + "\n\n")
    submission = submit(with_cells({2: [F1, windows]}))
    assert (source(submission, "f"), defines(submission, "f", "test_f")) == (F1[1], 1)


def test_notes_of_one_exercise_stand_in_no_other_report(submit: Submit):
    submission = submit(with_cells({2: [F1, F2], 6: []}))
    assert output(submission) == [("code_copies", "test_f"), ("missing_cell", "test_g")]
    assert isinstance(submission.notes[0], Note)


MINE, OTHER = ("why", "Because."), ("why", "Because of that.")


@pytest.mark.parametrize(
    ("cells", "answer", "codes"),
    [
        pytest.param({8: [RELEASED[8], MINE]}, "Because.", ["written_copies"], id="in the copy"),
        pytest.param({8: [MINE, RELEASED[8]]}, "Because.", ["written_copies"], id="in the first"),
        pytest.param({8: [MINE], 10: [OTHER]}, "Because of that.", ["written_copies"], id="in both"),
        pytest.param({8: [MINE, OTHER]}, "Because.\n\nBecause of that.", ["written_parts"], id="in two parts"),
        pytest.param({8: [("text", "Lost id.")]}, "Lost id.", ["text_below"], id="its id lost"),
        pytest.param({8: [RELEASED[8]], 9: [("text", "The end!")]}, UNWRITTEN, [], id="with an older text below"),
        pytest.param({1: [MINE], 8: []}, "Because.", [], id="moved to the top"),
        pytest.param({8: [RELEASED[8], ("text", "Below.")]}, "Below.", ["text_below"], id="in a new cell below"),
        pytest.param({8: [RELEASED[8]]}, UNWRITTEN, [], id="nowhere"),
        pytest.param({8: [MINE, ("text", "P.S.")]}, "Because.", [], id="with more below"),
        pytest.param({8: [RELEASED[8], ("", "x = 1"), ("text", "Far.")]}, UNWRITTEN, [], id="not right below"),
    ],
)
def test_a_written_answer_counts_wherever_it_is(submit: Submit, cells: dict[int, Cells], answer: str, codes: list[str]):
    submission = submit(with_cells(cells))
    assert source(submission, "why") == answer
    assert output(submission) == [(code, "why") for code in codes]


def test_two_thousand_copies_take_no_time_to_speak_of(submit: Submit):
    copies = [TEST_F, F1, RELEASED[3], ("", F2[1])] * 490
    submission = submit(with_cells({2: [F3], 10: copies}))
    assert defines(submission, "f", "test_f") == 3 and frame(submission) == ORDER
