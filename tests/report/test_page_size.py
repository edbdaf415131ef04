"""A feedback page has what it shows, once, and looks as it would with all of nbgrader's styles."""

import re
from typing import Any
from xml.sax.saxutils import quoteattr

import pytest
from nbconvert.exporters import HTMLExporter
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from playwright.sync_api import Browser

from syncpoint.core.messages import message
from syncpoint.core.results import ExerciseResult, Status, TestResult
from syncpoint.report.exercise import render
from syncpoint.report.page_size import small

STYLES = """
/* a comment */
@font-face { font-family: X; src: url(x.woff) }
body, .unused { color: red }
.used.other { color: blue }
.panel > .used:not(.other) { color: green }
textarea, video { margin: 0 }
p:not(.unused)::after { -webkit-box-sizing: border-box; box-sizing: border-box }
@keyframes turning { from { top: 0 } }
@media print { .unused { color: black } .panel { display: block } }
@media screen { .unused { color: white } }
[class^="us"] { color: grey }
[class^="icon"] { color: black }
"""
CODE = '''import os

def f(x, y=1.0):  # a comment
    """Say so."""
    assert x is not None, f"{x!r} is {y + 2}"
    return lambda: x.y
'''
LOOKS = """() => {
  const found = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = walk.nextNode(); text; text = walk.nextNode()) {
    const s = getComputedStyle(text.parentElement), box = text.parentElement.getBoundingClientRect();
    if (s.display == 'none') continue;
    const look = [s.color, s.fontWeight, s.fontStyle, s.fontSize, s.fontFamily];
    if (text.parentElement.closest('.highlight') == null)
      look.push(s.backgroundColor, s.display, s.padding, s.borderTop, box.x, box.y, box.width);
    for (const letter of text.data) if (letter.trim()) found.push([letter, ...look]);
  }
  return found;
}"""


def page(body: str, styles: str = STYLES) -> str:
    return f"<html><head><style>{styles}</style></head><body class='panel'>{body}</body></html>"


def test_rules_that_match_nothing_go():
    head, body = small(page('<p class="a used">.unused</p>')).split("</head>")
    assert body == '<body class=panel><p class="a used">.unused</p></body></html>'
    for kept in ("body{color:red}", ".panel > .used:not(.other){color:green}", ".panel{display:block}", '"us"'):
        assert kept in head
    for kept in ("textarea{margin:0}", "p:not(.unused)::after{box-sizing:border-box}"):  # a form comes later
        assert kept in head
    for gone in ("comment", "font-face", ".unused,", ".unused{", "blue", "screen", "video", "icon", "turning"):
        assert gone not in head


def test_a_sheet_in_which_all_is_used_stays_whole_in_meaning():
    styles = '.a { content: ".b; c"; margin: 0 !important }'
    assert '.a{content:".b; c";margin:0!important}' in small(page('<p class="a">', styles))


def test_classes_without_a_rule_go_from_elements_and_not_from_text():
    text = '&lt;p class="used prompt"&gt; class="cell" &lt;i style="a"&gt; style="a" style="a"'
    styles = ".used { color: red }"
    body = small(page(f'<p class="cell used" title="x > y">{text}</p><p class="cell"></p>', styles))
    assert body.endswith(f'<body><p class=used title="x > y">{text}</p><p></p></body></html>')


def test_classes_for_a_style_in_the_body_stay():
    for rule in (".mine{color:red}", "[class^=mi]{color:red}"):
        assert "<p class=mine>" in small(page(f'<style>{rule}</style><p class="mine">', ""))


def test_a_style_that_repeats_is_a_class_unless_it_could_leave_its_rule():
    nasty = "color:red}body{display:none"
    body = f'<b style="color:red">1</b><b style="color:red">2</b><u style="{nasty}">3</u><u style="{nasty}">4</u>'
    head, end = small(page(body)).split("</head>")
    assert end.count(f'style="{nasty}"') == 2 and nasty not in head
    assert "color:red" not in end.replace(nasty, "") and head.count("{color:red}") == 2  # one is the body's


def test_a_title_or_a_picture_that_a_student_wrote_gives_no_class_and_no_style():
    values = [""" style="position:fixed;top:0" class="used" """, " class=used ", "<b class='used' style='top:0'>"]
    written = "".join(f"<a title={quoteattr(value)}>1</a>" for value in values)
    head, end = small(page(written * 2 + '<p style="margin:0">2</p>' * 2)).split("</head>")
    assert end == f"<body class=panel>{written * 2}{'<p class=y0>2</p>' * 2}</body></html>"
    assert "position" not in head and ".used" not in head


def rendered() -> str:
    """A page as nbgrader's exporter makes it, with all styles."""
    said = message("It returned {found}.", found=2)
    statuses = {"test_a": Status.PASSED, "test_b": Status.FAILED, "test_c": Status.FAILED, "test_d": Status.PASSED}
    tests = tuple(TestResult(name, status, message=said) for name, status in statuses.items())
    report = render(ExerciseResult("test_x", 3.0, tests))
    shown = {"output_type": "display_data", "data": {"text/html": report}, "metadata": {}}
    words = "# Title\n\nText with `code`, *emphasis*, [a link](#x).\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- one"
    cells = [new_markdown_cell(words), new_code_cell(CODE, outputs=[shown]), new_code_cell(CODE)]
    exporter = HTMLExporter(template_name="classic", embed_images=True)
    text: str = exporter.from_notebook_node(new_notebook(cells=cells))[0]
    return re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_looks_the_same_with_a_fraction_of_its_bytes(browser: Browser, scheme: Any):
    ours = ".anchor-link { display: none; } .highlight i { font-style: normal; }"  # as in our template
    before = rendered().replace("</head>", f"<style>{ours}</style></head>")
    after, looks = small(before), []
    for text in (before, after):
        shown = browser.new_page(color_scheme=scheme)
        shown.set_content(text)
        looks.append(shown.evaluate(LOOKS))
        shown.close()
    assert looks[0] == looks[1]
    assert len(after) < len(before) / 10 and "¶" in before and "¶" not in after
    # Words with the same colors have one element, and spaces none.
    (code, *_) = re.findall(r"<pre>(.*?)</pre>", after, re.DOTALL)
    assert "<i class=ow>is not</i>" in code and "<span" not in code.replace("<span></span>", "")
    assert "<b>import</b>" in code and "<u>" in code and "class=k>" not in code


def test_only_what_moves_keeps_its_movements():
    turning = "@keyframes turning { from { top: 0 } } .%s { animation: turning 1s }"
    assert "keyframes" in small(page('<p class="used">', turning % "used"))
    assert "turning" not in small(page('<p class="used">', turning % "unused"))
    assert "keyframes" in small(page('<p style="animation:turning 1s">', turning % "unused"))
