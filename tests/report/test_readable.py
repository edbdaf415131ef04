"""Students' texts and outputs are bounded before display, and no text costs a code exercise points."""

import html
import json
import resource
from typing import Any

import pytest
from classroom import SmallCourse
from graded_class import grade
from hostile import CODE, MIB, MISSING, ONE_PICTURE, PRINTS, TEXTS, code, markdown
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output, new_raw_cell

from syncpoint.report.readable import MAX_FORMATTED_CHARACTERS, NOTEBOOK_PLAIN, PLAIN, KeepReadable
from syncpoint.report.render_client import Renderer
from syncpoint.report.render_program import without_script_links

NOTE = "is shown as plain text"


def shown(*cells: NotebookNode) -> list[NotebookNode]:
    """The cells as people get them."""
    notebook, _ = KeepReadable().preprocess(new_notebook(cells=list(cells)), {})
    return notebook.cells


def read(cell: NotebookNode) -> str:
    """The text of a cell as a browser shows it: what is shown as plain text stands there as entities."""
    return html.unescape(cell.source)


def test_an_ordinary_answer_stays_as_it_is():
    text = "# Why\n\nIt *waits*: $t < 3$ `a`, [a link](https://a.example), <b>bold</b>\n\n- one\n- two"
    (cell,) = shown(new_markdown_cell(text))
    assert read(cell) == text


def test_code_in_an_answer_is_shown_as_it_was_written():
    for text in ("If `y > 0`, it waits.\n\n> so", "```python\nif y > 0:\n    pass\n```"):
        (cell,) = shown(new_markdown_cell(text))
        assert cell.source == text


def test_a_sign_that_closes_a_tag_stays_an_entity_where_one_may_be_open():
    (cell,) = shown(new_markdown_cell("<b title='<img src=x onerror=run()'>x</b> &gt; `y > 0`"))
    assert "&gt; `y &gt; 0`" in cell.source


def test_what_a_browser_would_run_is_taken_out():
    for new in (new_markdown_cell, new_raw_cell):
        (cell,) = shown(new("<script>run()</script> <b onclick='run()'>x</b>"))
        assert "<script>" not in cell.source and "onclick" not in cell.source and "<b>x</b>" in cell.source


@pytest.mark.parametrize(
    "link", ["javascript:x", "java&#115;cript:x", "JAVA\nSCRIPT:x", "data:text/html,x", "%6aavascript:x"]
)
def test_links_that_run_are_shown_as_text(link: str):
    assert without_script_links(f"[a]({link}) <a href='{link}'>") == f"\\[a]({link}) &lt;a href='{link}'>"


@pytest.mark.parametrize("new", [new_markdown_cell, new_raw_cell])
@pytest.mark.parametrize("kind", TEXTS)
def test_a_text_that_is_too_long_is_plain(new: Any, kind: str):
    source = TEXTS[kind](2 * MAX_FORMATTED_CHARACTERS)
    (cell,) = shown(new(source))
    assert f"{NOTE}: it is longer than" in read(cell)
    text = html.unescape(cell.source).split("submitted file.\n\n" if len(source) > PLAIN else "for this.\n\n")[1]
    stored = source[:PLAIN].replace("\0", "�")  # of a NUL browsers make the same
    assert text.replace("\0", "�") == f"{stored}\n</pre>"


@pytest.mark.sample(1)
@pytest.mark.parametrize("kind", ["nested tags", "brackets", "formulas", "Ruby"])
def test_a_text_that_takes_too_long_is_plain(kind: str):
    source = TEXTS[kind](MAX_FORMATTED_CHARACTERS - 100)
    (cell,) = shown(new_markdown_cell(source))
    assert f"{NOTE}: it takes too long" in read(cell) and source in read(cell)


def test_a_text_that_fails_is_plain_and_says_why():
    first, second = shown(new_markdown_cell(MISSING), new_markdown_cell(TEXTS["a long number"](9000)))
    assert f"{NOTE}: missing attachment: missing.gif" in read(first)
    assert f"{NOTE}: it cannot be formatted (ValueError)" in read(second)


def test_the_name_of_what_is_missing_commands_nothing():
    (cell,) = shown(new_markdown_cell("![a](attachment:<b>[x](https://a.example)$y$)"))
    assert NOTE in read(cell) and set("<$") & set(cell.source.removeprefix("<pre>").removesuffix("</pre>")) == set()


def test_a_picture_that_is_shown_again_and_again_is_not():
    cells = [new_markdown_cell("![a](attachment:a.png)" * count, attachments=ONE_PICTURE) for count in (1, 2000)]
    first, second = shown(*cells)
    assert first.attachments == ONE_PICTURE and NOTE not in first.source
    assert "attachments" not in second and NOTE in read(second)


@pytest.mark.exhaustive
def test_a_notebook_has_a_budget_and_its_last_cells_are_plain():
    cells = shown(*(new_markdown_cell(TEXTS["brackets"](8_000) + f"{number}") for number in range(60)))
    assert "takes too long" in cells[-1].source and NOTE not in cells[0].source
    assert sum(len(read(cell)) for cell in cells) < 2 * NOTEBOOK_PLAIN


@pytest.mark.parametrize("kind", CODE)
def test_code_is_shown_without_colours_if_need_be(kind: str):
    (cell,) = shown(new_code_cell(CODE[kind]))
    assert CODE[kind].startswith(cell.source) and len(cell.source) >= min(len(CODE[kind]), 50_000)
    assert cell.metadata["magics_language"] == "text" and NOTE in cell.outputs[-1].text


@pytest.mark.parametrize("text", ["\x1b[1ma" * 100_000, "\x1b[" + ";" * 900_000 + "m", "<" * 900_000])
@pytest.mark.parametrize("kind", ["stream", "display_data", "error"])
def test_output_is_shown_without_colours_if_need_be(kind: str, text: str):
    output = {
        "stream": lambda: new_output("stream", name="stdout", text=text),
        "display_data": lambda: new_output("display_data", data={"text/plain": text}),
        "error": lambda: new_output("error", ename="E", evalue="v", traceback=[text]),
    }[kind]()
    (cell,) = shown(new_code_cell("x", outputs=[output]))
    assert "\x1b" not in cell.outputs[0].text and text.replace("\x1b", "").startswith(cell.outputs[0].text)
    assert NOTE in cell.outputs[-1].text


def test_ordinary_output_stays_as_it_is():
    outputs = [
        new_output("stream", name="stdout", text="\x1b[31mred\x1b[0m\n" * 100),
        new_output("display_data", data={"image/png": "A" * MIB}),
    ]
    (cell,) = shown(new_code_cell("x = 1", outputs=outputs))
    assert (cell.outputs, cell.source, dict(cell.metadata)) == (outputs, "x = 1", {})


def test_a_graded_cell_is_the_judges():
    marks = {"grade": True, "solution": False, "locked": True, "grade_id": "test_f", "points": 1, "schema_version": 3}
    outputs = [new_output("stream", name="stdout", text="<" * 900_000)]
    cell = new_code_cell("x", metadata={"nbgrader": marks}, outputs=outputs)
    assert shown(cell)[0].outputs == outputs


def test_a_program_that_cannot_run_is_no_fault_of_the_text(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("syncpoint.report.render_client.sys.executable", "/bin/false")
    with pytest.raises(RuntimeError, match="make doctor"):
        Renderer().show("markdown", "text", {})


SECONDS = 12  # of processor time for one of them; most take about 2, and five that were not bounded an hour each
WRITTEN: dict[str, list[dict[str, Any]]] = {
    "tags": [markdown(TEXTS["nested tags"](3 * MIB)), markdown(TEXTS["nested tags"](MAX_FORMATTED_CHARACTERS))],
    "brackets": [markdown(TEXTS["brackets"](MAX_FORMATTED_CHARACTERS)), markdown(TEXTS["pictures"](10 * MIB))],
    "cells": [markdown(TEXTS["brackets"](4_000) + str(number)) for number in range(1900)],
    "number": [markdown(TEXTS["a long number"](9_000))],
    "missing": [markdown(MISSING)],
    "picture": [markdown("![a](attachment:a.png)" * 2000, attachments=ONE_PICTURE)],
    "raw": [{"cell_type": "raw", "metadata": {}, "source": TEXTS["tags with attributes"](MAX_FORMATTED_CHARACTERS)}],
    "code": [code(CODE["indents"])],
    "prints": [code(source) for source in PRINTS.values()],
}


def seconds() -> float:
    """Processor time of all programs that have been run so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@pytest.mark.exhaustive
@pytest.mark.engine
@pytest.mark.sandbox
@pytest.mark.slow
def test_no_text_stops_a_class_or_takes_a_point(course: SmallCourse):
    for student, cells in WRITTEN.items():
        notebook = course.solved()
        notebook["cells"] += cells
        course.submit(student, notebook)
    course.submit("honest", course.solved(why="Because."))
    before = seconds()
    assert set(grade(course, "--workers", "1").values()) <= {"graded", "from the store"}
    graded = seconds()
    done = course.nbgrader("generate_feedback", "async")
    assert done.returncode == 0, done.stderr
    limit = SECONDS * (len(WRITTEN) + 1)
    assert graded - before < limit and seconds() - graded < limit
    assert course.scores() == dict.fromkeys([*WRITTEN, "honest"], (4, 2))
    assert [student for student in WRITTEN if NOTE not in course.feedback(student)] == []
    assert NOTE not in course.feedback("honest")


@pytest.mark.exhaustive
@pytest.mark.engine
@pytest.mark.sandbox
def test_a_result_does_not_depend_on_what_was_written(course: SmallCourse):
    texts = {"plain": "Because.", "hostile": TEXTS["brackets"](MAX_FORMATTED_CHARACTERS)}
    for student, text in texts.items():
        course.submit(student, course.solved(why=text))
    assert course.nbgrader("autograde", "async").returncode == 0
    assert len(list((course.root / ".syncpoint" / "results").rglob("*.json.gz"))) == 1
    copies = [course.root / "autograded" / student / "async" / "work.ipynb" for student in texts]
    assert [NOTE in json.dumps(json.loads(path.read_text())["cells"]) for path in copies] == [False, True]
