"""A page needs nothing from another host, lets nothing of a student's run, and shows formulas without a script."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from classroom import ROOT, SmallCourse
from nbformat.v4 import new_markdown_cell
from playwright.sync_api import Browser, Page

from syncpoint.report.formulas import MAX_FORMULA_CHARACTERS, mathml

HOSTILE = """
<img src="https://elsewhere.example/a.png"> <script src="https://elsewhere.example/a.js"></script>
<link rel="stylesheet" href="https://elsewhere.example/a.css"> <iframe src="https://elsewhere.example/"></iframe>
<style>@import url(https://elsewhere.example/b.css); p { background: url(https://elsewhere.example/c.png) }</style>
![picture](https://elsewhere.example/d.png) $\\href{https://elsewhere.example/e}{x}$
"""


class Watched:
    """A page whose requests are noted; what is not its own is never answered."""

    def __init__(self, page: Page):
        self.page, self.foreign = page, list[str]()
        page.route("**/*", self._on_request)

    def _on_request(self, route: Any) -> None:
        if route.request.is_navigation_request() and route.request.frame == self.page.main_frame:
            route.continue_()
        else:
            self.foreign.append(route.request.url)
            route.abort()

    def open(self, path: Path) -> Page:
        """Load a file, and wait until nothing is loading any more."""
        self.page.goto(path.as_uri(), wait_until="networkidle")
        return self.page


@pytest.fixture
def watched(browser: Browser) -> Iterator[Watched]:
    page = browser.new_page()
    yield Watched(page)
    page.close()


@pytest.mark.engine
@pytest.mark.sandbox
def test_feedback_asks_no_host_for_anything(released: SmallCourse, tmp_path: Path, watched: Watched):
    course = released.copy(tmp_path / "course")
    for student, text in (("ada", "Say that it takes $t_1 + \\frac{a}{b}$ and $$\\sum_i x_i$$"), ("bob", HOSTILE)):
        notebook = course.solved()
        for cell in notebook["cells"]:
            if cell["cell_type"] == "markdown":
                cell["source"] = text
        notebook["cells"].append(json.loads(json.dumps(new_markdown_cell(text))))
        course.submit(student, notebook)
    assert course.nbgrader("autograde", "async").returncode == 0
    assert course.nbgrader("generate_feedback", "async").returncode == 0
    pages = {name: course.root / "feedback" / name / "async" / "work.html" for name in ("ada", "bob")}
    page = watched.open(pages["ada"])
    assert page.locator("math").count() >= 2 and "$t_1" not in page.inner_text("body")
    assert page.locator("math msub").first.bounding_box()["height"] > 0  # type: ignore[index]
    watched.open(pages["bob"])
    assert watched.foreign == []
    assert page.locator("script").count() == 0


def test_the_page_of_the_demo_asks_no_host_for_anything(watched: Watched):
    template = (ROOT / "syncpoint" / "demo" / "page.html").read_text()
    assert "Content-Security-Policy" in template and "://" not in template.replace("https://www.w3.org", "")


@pytest.mark.parametrize(
    ("formula", "shown"),
    [
        ("t_1", "<msub><mi>t</mi><mn>1</mn></msub>"),
        (r"\frac{a}{b}", "<mfrac>"),
        (r"n t_2 \le O(n^2)", "<msup>"),
        (r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", "<mtable>"),
    ],
)
def test_a_formula_is_mathml(formula: str, shown: str):
    assert shown in (mathml(formula) or "")


@pytest.mark.parametrize(
    "formula",
    [
        r"\text{<script>alert(1)</script>}",
        r"\text{<img src=x onerror=alert(1)>}",
        r"\text{</math><script>alert(1)</script><math>}",
        r"\unknowncommand{x}",
        "{" * 900,
        r"\frac{" * 100,
        "x" * (MAX_FORMULA_CHARACTERS + 1),
        "",
    ],
)
def test_what_is_no_formula_stays_as_it_was_typed(formula: str):
    assert mathml(formula) is None


@pytest.mark.parametrize("formula", [r"\href{javascript:alert(1)}{x}", r"\style{position:fixed}{x}", r"\class{a}{x}"])
def test_a_formula_brings_no_attribute_of_its_own(formula: str):
    made = mathml(formula) or ""
    assert "x</mi>" in made and not any(word in made for word in ("href", "style=", "class"))
