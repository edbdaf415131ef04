"""Effects of a notebook's cells on each other while the judge runs them."""

import re

import pytest
from classroom import ENGINE, nbgrader_cell
from nbformat.v4 import new_code_cell, new_notebook

from syncpoint.core.messages import words
from syncpoint.core.results import Note
from syncpoint.core.strip import show_control
from syncpoint.judge.cell_output import from_notebook, to_notebook
from syncpoint.judge.grade_notebook import repaired
from syncpoint.judge.incident_log import IncidentLog
from syncpoint.judge.notebook_run import NotebookRun
from syncpoint.sandbox.spec import SandboxSpec

SOLUTION = "def helper(x):\n    return 2 * x\ndef double(x):\n    return helper(x)"
CHECK = "result = double(2)\nhelper, found = result, 1\nassert helper == 4\ndel SIZE"


def run(*cells: tuple[str, str], then: str) -> str:
    """What a last cell prints after cells of these kinds: "solution", "locked" or "grade"."""
    notebook = new_notebook(
        cells=[
            nbgrader_cell(new_code_cell, source, f"cell-{number}", points=1, **{kind: True})
            for number, (kind, source) in enumerate(cells)
        ]
        + [new_code_cell(then)]
    )
    with NotebookRun(notebook, SandboxSpec(ENGINE)) as submission:
        submission.advance_to(len(notebook.cells))
        assert submission.incidents == []
    return "".join(output["text"] for output in notebook.cells[-1].outputs)


def test_a_visible_check_does_not_take_the_names_of_the_solution_that_it_tries():
    cells = ("solution", f"SIZE = 3\n{SOLUTION}"), ("locked", CHECK), ("grade", "")
    assert run(*cells, then="print(double(5), SIZE, result, found)") == "10 3 4 1\n"


@pytest.mark.parametrize(
    "cells",
    [
        [("locked", "size = 1"), ("locked", "size = 2"), ("solution", "pass"), ("grade", "")],
        [("solution", "size = 1"), ("grade", ""), ("locked", "size = 2"), ("solution", "pass"), ("grade", "")],
        [("solution", "size = 1"), ("solution", "size = 2"), ("grade", "")],
    ],
    ids=["before every solution", "between two exercises", "in a solution"],
)
def test_everywhere_else_a_name_is_what_was_given_to_it_last(cells: list[tuple[str, str]]):
    assert run(*cells, then="print(size)") == "2\n"


def test_a_failed_check_is_reported_only_with_its_own_exercise():
    cells = [
        ("locked", "1 / 0"),
        ("solution", "def f(): pass"),
        ("locked", "assert f() == 1"),
        ("grade", ""),
        ("solution", "def g(): pass"),
        ("locked", "raise KeyError"),
        ("grade", ""),
    ]
    notebook = new_notebook(
        cells=[
            nbgrader_cell(new_code_cell, source, f"cell-{number}", points=1, **{kind: True})
            for number, (kind, source) in enumerate(cells)
        ]
    )
    reported = []
    with NotebookRun(notebook, SandboxSpec(ENGINE)) as submission:
        for place in (3, 6):
            submission.advance_to(place)
            reported.append([str(note) for note in submission.notes(f"cell-{place}")])
        assert len(submission.incidents) == 3
    everybodys = "Cell 1 (`cell-0`) raised ZeroDivisionError."
    assert reported == [
        [everybodys, "Cell 3 (`cell-2`) raised AssertionError."],
        [everybodys, "Cell 6 (`cell-5`) raised KeyError."],
    ]


CONTROL = "".join(map(chr, [*range(32), 0x7F, 0x85, 0x9B, 0x200F, 0x202E, 0x2028, 0x2066]))


@pytest.mark.parametrize(
    "source",
    [
        "print(TEXT)",
        "import sys; print(TEXT, file=sys.stderr)",
        "class Shown:\n    def __repr__(self): return TEXT\nShown()",
        "raise ValueError(TEXT)",
        "raise type(TEXT.replace(chr(0), ''), (Exception,), {})",
    ],
    ids=["stdout", "stderr", "result", "exception", "name of an exception"],
)
def test_no_output_commands_a_terminal_or_turns_the_text(source: str):
    notebook = new_notebook(cells=[new_code_cell(f"TEXT = 'a' + {CONTROL!r} + 'b'"), new_code_cell(source)])
    with NotebookRun(notebook, SandboxSpec(ENGINE)) as submission:
        submission.advance_to(2)
    stored = [to_notebook(from_notebook(output)) for output in notebook.cells[1].outputs]
    texts = [text for output in stored for text in strings(output)]
    assert any("\N{SYMBOL FOR BELL}" in text for text in texts)
    for text in texts:
        assert not set(CONTROL) - {"\n", "\t"} & set(re.sub(r"\x1b\[[0-9;]*m", "", text)), repr(text)


def strings(value: object) -> list[str]:
    """All texts in an output."""
    if isinstance(value, (list, dict)):
        return [text for item in (value.values() if isinstance(value, dict) else value) for text in strings(item)]
    return [value] if isinstance(value, str) else []


def test_colours_and_ordinary_words_of_an_output_stay():
    text = "\x1b[0;31mTr\N{NO-BREAK SPACE}\xe8s bien\x1b[0m\t\U0001f469\u200d\U0001f52c 10%\r20%\r\n"
    assert show_control(text) == text.replace("\r\n", "\n").replace("\r", "\n")


def test_a_character_that_is_no_python_is_named_with_its_line():
    odd = {
        "x = 1\ny\u00a0= 2": "line 2 has the character U+00A0 (no-break space)",
        "print\uff081\uff09": "line 1 has the character U+FF08 (fullwidth left parenthesis)",
        "x = 1\n\ny = \u201ca\u201d": "line 3 has the character U+201C (left double quotation mark)",
        "z =\u200b 1": "line 1 has the character U+200B (zero width space)",
        "f(1\uff0c 2)": "line 1 has the character U+FF0C (fullwidth comma)",
        "a = 3 \u2212 1": "line 1 has the character U+2212 (minus sign)",
    }
    notebook = new_notebook(cells=[new_code_cell(source) for source in [*odd, "x = 'U+00A0' +"]])
    with NotebookRun(notebook, SandboxSpec(ENGINE)) as submission:
        submission.advance_to(len(notebook.cells))
        reported = [str(incident.message) for incident in submission.incidents]
    raised = [f"Cell {number} raised SyntaxError" for number in range(1, len(odd) + 2)]
    assert reported[-1] == f"{raised[-1]}."
    assert [
        f"{begins}: {why}" in printed for begins, why, printed in zip(raised, odd.values(), reported, strict=False)
    ] == [True] * 6


def test_a_note_on_one_exercise_is_in_its_report_alone():
    cells = [nbgrader_cell(new_code_cell, "", name, points=1, grade=True) for name in ("test_f", "test_g")]
    notes = [Note(words("of f"), "test_f"), Note(words("of all")), Note(words("of g"), "test_g")]
    reported = {}
    with NotebookRun(new_notebook(cells=cells), SandboxSpec(ENGINE), IncidentLog(repaired(notes), notes)) as submission:
        for name in ("test_f", "test_g"):
            reported[name] = list(map(str, submission.notes(name)))
        assert [str(incident.message) for incident in submission.incidents] == ["of f", "of all", "of g"]
    assert reported == {"test_f": ["of f", "of all"], "test_g": ["of all", "of g"]}
