"""Lecture slides of notebooks: what is on them, and that they load nothing from elsewhere."""

import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
import slides
from classroom import ROOT, nbgrader_cell
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

EXAMPLE = new_code_cell("print(1 + 1)", outputs=[new_output("stream", text="2\n")])
ANSWER = nbgrader_cell(new_code_cell, "def f(): return 'the answer'", "f", solution=True)
CHECK = new_code_cell("def check_f():\n    assert f() == 'the answer'\n\n\ncheck_f()")
TEST = nbgrader_cell(new_code_cell, "# tests", "test_f", grade=True, locked=True, points=1)


def kinds(notebook: nbformat.NotebookNode) -> list[str]:
    return [cell.metadata.slideshow.slide_type for cell in slides.deck(notebook).cells]


def test_each_section_is_a_slide_and_its_parts_are_below_it():
    cells = [new_markdown_cell("# Title\n\nHello."), EXAMPLE, new_markdown_cell("## Next"), new_markdown_cell("### A")]
    assert kinds(new_notebook(cells=cells)) == ["slide", "-", "slide", "subslide"]


def test_a_long_text_goes_on_below_and_no_block_of_code_is_cut():
    block = "```python\n" + "\n\n".join(["x = 1"] * 200) + "\n```"
    long = "\n\n".join(["# Title", *["A sentence. " * 20] * 8, block])
    deck = slides.deck(new_notebook(cells=[new_markdown_cell(long)]))
    assert "\n\n".join(cell.source for cell in deck.cells) == long
    assert [cell.metadata.slideshow.slide_type for cell in deck.cells][:3] == ["slide", "subslide", "subslide"]
    assert sum(block in cell.source for cell in deck.cells) == 1


def test_answers_and_tests_are_left_out():
    deck = slides.deck(new_notebook(cells=[new_markdown_cell("# Title"), ANSWER, CHECK, TEST, EXAMPLE]))
    assert [cell.source for cell in deck.cells] == ["# Title", EXAMPLE.source]


def test_a_page_loads_reveal_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(slides, "ROOT", tmp_path)
    text = new_markdown_cell("# Title\n\nThat is $t_1 + t_2$, a sum.")
    slides.write(slides.deck(new_notebook(cells=[text, EXAMPLE])), "work", "pt_BR", tmp_path / "work.html")
    page = (tmp_path / "work.html").read_text()
    loaded = re.findall(r'<(?:script|link|img)[^>]+(?:src|href)="([^"]+)"', page)
    assert loaded and all(address.startswith("../reveal.js/") for address in loaded)
    assert "<math" in page and 'lang="pt"' in page and "import mermaid" not in page


def test_a_notebook_is_run_in_the_folder_of_its_files(tmp_path: Path):
    work = tmp_path / "work"
    work.mkdir()
    (work / "data.txt").write_text("of this folder")
    cells = [new_code_cell("print(open('data.txt').read())"), new_code_cell("1 / 0")]
    first, second = slides.run(new_notebook(cells=cells), Path(sys.executable), work).cells
    assert first.outputs[0].text == "of this folder\n" and second.outputs[0].ename == "ZeroDivisionError"


@pytest.mark.exhaustive
def test_the_slides_of_an_assignment_have_its_timelines_and_none_of_its_solutions():
    subprocess.run(["make", "slides", "ARGS=torch_streams --language en"], check=True, cwd=ROOT)
    page = (ROOT / "build/slides/torch_streams/streams.slides.html").read_text()
    assert "<svg" in page and "raise NotImplementedError" not in page and "BEGIN SOLUTION" not in page
    assert "Traceback" not in page
