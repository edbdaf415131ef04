"""The styles of a notebook's reports are in it once, and the reports look as they would alone."""

import re
from typing import Any

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import Browser

from syncpoint.core.messages import words
from syncpoint.core.results import ExerciseResult, Status, TestResult
from syncpoint.report.background import Background
from syncpoint.report.exercise import render
from syncpoint.report.misconceptions_page import Misconception
from syncpoint.report.notebook import put_reports
from syncpoint.report.shared_styles import share_styles

NASTY = 'style="display:none" <b class=x style="color:red">'
LOOKS = """() => [...document.querySelectorAll('#all *')].filter(one => one.tagName != 'STYLE').map(one => {
  const look = getComputedStyle(one);
  return [one.tagName, ...[...look].map(name => look.getPropertyValue(name))];
})"""


def exercise(name: str, *passed: bool) -> ExerciseResult:
    tests = tuple(
        TestResult(f"test_{number}", Status.PASSED if good else Status.FAILED, message=words(f"{NASTY} `code`"))
        for number, good in enumerate(passed)
    )
    return ExerciseResult(name, 3.0, tests, (words(f"A note: {NASTY}"),))


EXERCISES = exercise("test_a", True, True), exercise(f"test_{NASTY}", False, True), exercise("test_c", False)
BELIEF = Background(misconceptions={"": Misconception("", "BELIEF", "`code`")}, url="https://course.example/x.html")


def reports() -> list[str]:
    return [render(one, BELIEF) for one in EXERCISES]


def test_a_style_is_written_once_for_all_reports_and_students_texts_stay():
    before, after = reports(), share_styles(reports())
    assert len("".join(after)) < 0.8 * len("".join(before))
    for text in ("display:flex;gap:.6em", "text-align:center;font-weight:600;background:#1d7a43"):
        assert "".join(before).count(text) > "".join(after).count(text) == 1
    bare = [re.sub(r"<style>.*?</style>|<[^>]*>", "", report) for report in after]
    assert bare == [re.sub(r"<[^>]*>", "", report) for report in before]
    assert "style=&#34;display:none&#34;" in "".join(after) and 'title="passed"' in after[0]
    assert share_styles([]) == []


def test_reports_of_several_notebooks_may_be_on_one_page():
    def rules(shared: list[str]) -> set[str]:
        return set(re.findall(r"\.(z\d+)[^{]*(\{[^}]*\})", shared[0]))

    (one, other), everything = (share_styles(reports()[place:][:1]) for place in (0, 2)), share_styles(reports())
    assert rules(one) < rules(everything) > rules(other) and rules(one) != rules(other)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_reports_look_as_they_would_alone(browser: Browser, scheme: Any):
    looks = []
    for shown in (reports(), share_styles(reports())):
        page = browser.new_page(color_scheme=scheme)
        page.set_content(
            f"<style>div, span, code {{ color: blue; padding: 9px }}</style><div id=all>{''.join(shown)}</div>"
        )
        looks.append(page.evaluate(LOOKS))
        page.close()
    assert len(looks[0]) > 40 and looks[0] == looks[1]


def test_a_graded_notebook_has_the_rules_in_its_first_report():
    marks = {"grade": True, "solution": False, "locked": True, "points": 3.0, "schema_version": 3, "task": False}
    cells = [new_code_cell("", metadata={"nbgrader": {**marks, "grade_id": one.name}}) for one in EXERCISES]
    notebook = new_notebook(cells=cells)
    put_reports(notebook, EXERCISES, Background())
    shown = [cell.outputs[0].data for cell in nbformat.from_dict(notebook).cells]
    assert [data["text/html"].count("<style>") for data in shown] == [1, 0, 0]
    assert [float(data["text/plain"]) for data in shown] == [one.points for one in EXERCISES]
