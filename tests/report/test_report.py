"""The feedback report: plain HTML with what a student may read, and without anything that they could inject."""

import re
import shutil
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from classroom import ROOT
from elements import Elements
from results import result_of

from syncpoint.core.messages import say, words
from syncpoint.core.results import ExerciseResult
from syncpoint.course.folder import Course
from syncpoint.report.background import Background
from syncpoint.report.exercise import plain, render
from syncpoint.report.misconceptions_page import Misconception
from syncpoint.report.notebook import wording

MARKUP = "<script>alert('&\"')</script><img src=x onerror=y>"


def _outcome(passed=False, **texts):
    fields = {"name": "NAME", "title": "TITLE", "hint": "HINT", "message": "MESSAGE", "detail": "DETAIL", **texts}
    return result_of(weight=1, passed=passed, seconds=0.0, **fields)


def _halves(*tests):
    """Return the report as text; tests: passed, core, weight, and optionally value."""
    exercise = ExerciseResult(
        "test_x",
        4,
        tuple(replace(_outcome(passed), core=core, weight=w, value=any(value)) for passed, core, w, *value in tests),
    )
    text = " ".join(plain(exercise).split())
    sentences = re.search(r"You get half of .* For that half, you got [\d.]+\.", text)
    assert sentences is None or sentences[0] in Elements(render(exercise)).words
    return text


def test_a_report_tells_how_half_of_the_points_are_for_the_core_tests():
    text = _halves((False, True, 1), (True, False, 3))
    assert "You get half of the points (2 of 4) only if all tests marked [core] pass, because these tests check" in text
    assert "For this half, you got 0. The other half is shared among all tests. For that half, you got 1.5." in text
    assert "[--] TITLE [core] Seen" in text and "[ok] TITLE (weight 3)" in text
    assert "The other half is shared among all tests. For that half, you got 0.5." in _halves(
        (True, True, 1), (False, False, 3)
    )


def test_a_report_names_the_limit_that_lowered_the_points():
    passed, failed, wrong = (True, True, 19), (False, False, 1), (False, False, 1, True)
    limits = "exercise gives at most"
    assert f"For that half, you got 1.6. A test failed, so the {limits} nine tenths of its points." in _halves(
        passed, failed
    )
    text = _halves(passed, wrong)
    assert (
        f"For that half, you got 1. A test marked [value] failed, so the {limits} three quarters of its points." in text
    )
    assert limits not in _halves((True, True, 1), (False, False, 3))  # they lost more than the limit
    assert limits not in _halves((False, True, 1), (True, False, 19))


def test_a_report_marks_the_tests_of_a_value():
    reported = _text(replace(_outcome(), value=True), replace(_outcome(True), value=True, core=True))
    assert "[--] TITLE [value] Seen" in " ".join(reported.split()) and "[ok] TITLE [core] [value]" in reported


def test_a_report_says_nothing_of_it_where_no_point_is_missing_or_no_test_is_marked():
    assert "half" not in _halves((True, True, 1), (True, False, 1))
    assert "half" not in _halves((False, False, 1), (True, False, 1))


SECTION = Misconception("slug", "BELIEF", "EXPLANATION with `code`.\n\n```text\nPICTURE  <x>\n```")
BACKGROUND = Background(misconceptions={"slug": SECTION}, url="https://course.example/misconceptions.html")


def _page(*outcomes, exercise="test_x", notes=(), background=None, banner=""):
    return render(ExerciseResult(exercise, 2, outcomes, tuple(map(words, notes))), background or Background(banner))


def _text(*outcomes, notes=(), background=BACKGROUND):
    return plain(ExerciseResult("test_x", 2, outcomes, tuple(map(words, notes))), background)


@pytest.mark.parametrize("field", ["title", "hint", "message"])
def test_texts_of_a_test_are_escaped(field):
    page = Elements(_page(_outcome(**{field: MARKUP})))
    assert (set(page.tags), MARKUP in page.words) == ({"div", "span"}, True)


@pytest.mark.parametrize("field", ["exercise", "banner"])
def test_texts_of_the_course_are_escaped(field):
    page = Elements(_page(_outcome(), **{field: MARKUP}))
    assert (set(page.tags), MARKUP in page.words) == ({"div", "span"}, True)


def test_notes_are_escaped():
    page = Elements(_page(_outcome(), notes=(MARKUP,)))
    assert (set(page.tags), MARKUP in page.words) == ({"div", "span"}, True)


def test_there_is_nothing_that_a_browser_runs_or_fetches():
    assert Elements(_page(_outcome(), _outcome(passed=True))).attributes <= {"style", "title", "class"}


def test_every_element_is_closed():
    assert Elements(_page(_outcome(), _outcome(passed=True), notes=("NOTE",))).open == 0


def test_detail_and_name_of_a_test_stay_with_the_instructor():
    words = _page(_outcome(), _outcome(passed=True))
    assert "DETAIL" not in words
    assert "NAME" not in words


def test_a_failed_test_shows_title_message_and_hint():
    words = Elements(_page(_outcome())).words
    assert [text for text in ("TITLE", "MESSAGE", "HINT") if text not in words] == []


def test_a_passed_test_shows_its_title_only():
    words = Elements(_page(_outcome(passed=True))).words
    assert [text in words for text in ("TITLE", "MESSAGE", "HINT")] == [True, False, False]


def test_points_and_maximum_are_shown():
    assert "1 of 2 points" in Elements(_page(_outcome(), _outcome(passed=True))).words


def test_the_name_of_a_cell_in_a_note_is_code_and_no_markup():
    page = _page(notes=("Cell 3 (`loops`) raised `<b>`.",))
    assert re.findall("<code[^>]*>(.*?)</code>", page) == ["loops", "&lt;b&gt;"]
    assert "`" not in Elements(page).words


def test_notes_are_shown_even_if_nothing_was_tested():
    assert "NOTE" in Elements(_page(notes=("NOTE",))).words


def test_the_operators_sentence_is_shown():
    assert "BANNER" in Elements(_page(_outcome(), banner="BANNER")).words


def test_a_failed_test_brings_the_section_of_its_misconception():
    page = Elements(_page(_outcome(misconception="slug"), background=BACKGROUND))
    assert [
        text for text in (say("belief_summary"), "BELIEF", "EXPLANATION", "PICTURE  <x>") if text not in page.words
    ] == []


@pytest.mark.parametrize("outcome", [_outcome(passed=True, misconception="slug"), _outcome(misconception="another")])
def test_no_section_is_shown_where_none_fits(outcome):
    assert say("belief_summary") not in _page(outcome, background=BACKGROUND)
    assert say("belief_summary") not in _text(outcome)


def test_a_section_that_fits_two_tests_is_shown_once():
    twice = [_outcome(misconception="slug"), _outcome(misconception="slug")]
    assert _page(*twice, background=BACKGROUND).count(say("belief_summary")) == 1
    assert _text(*twice).count(say("belief_summary")) == 1


def test_the_box_opens_without_a_script_and_only_its_link_leads_out():
    page = _page(_outcome(misconception="slug"), background=BACKGROUND)
    assert (
        {"details", "summary", "pre", "a"} <= set(Elements(page).tags) <= {*"div span details summary pre p a".split()}
    )
    assert Elements(page).attributes <= {"style", "title", "href", "class", "tabindex"}
    assert re.findall(r'href="(.*?)"', page) == ["https://course.example/misconceptions.html#slug"]


def test_without_an_address_there_is_no_link():
    background = Background(misconceptions={"slug": SECTION})
    assert "href" not in _page(_outcome(misconception="slug"), background=background)
    assert "whole page" not in _text(_outcome(misconception="slug"), background=background)


def test_the_text_says_what_the_page_says():
    outcomes = [_outcome(misconception="slug"), _outcome(passed=True)]
    page, text = (
        Elements(_page(*outcomes, notes=("NOTE",), background=BACKGROUND)).words,
        _text(*outcomes, notes=("NOTE",)),
    )
    output = (
        "1 of 2 points",
        "NOTE",
        "TITLE",
        "Seen: MESSAGE",
        "Hint: HINT",
        say("belief_summary"),
        "BELIEF",
        "EXPLANATION",
        "PICTURE",
    )
    assert [words for words in output if words not in page or words not in text] == []
    assert "DETAIL" not in text


def test_a_text_commands_no_terminal():
    assert "\x1b" not in _text(_outcome(message="raised \x1b[2Jname"))


# Background and words of: nbgrader's feedback and formgrader; JupyterLab light and dark; a dark browser.
PAGES = [("#ffffff", "#333333"), ("#ffffff", "#000000de"), ("#111111", "#ffffffde"), ("#1e1e1e", "#d4d4d4")]


def _over(colour, below):
    """A colour, #rgb, #rgba, #rrggbb or #rrggbbaa, laid over another one: (red, green, blue)."""
    digits = colour.removeprefix("#")
    digits = digits if len(digits) > 4 else "".join(digit * 2 for digit in digits)
    *rgb, alpha = (int((digits + "ff")[place : place + 2], 16) for place in (0, 2, 4, 6))
    return tuple((top * alpha + bottom * (255 - alpha)) / 255 for top, bottom in zip(rgb, below, strict=True))


def _contrast(one, other):
    """The ratio of WCAG 2: from 1 to 21."""

    def luminance(colour):
        linear = [
            c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (value / 255 for value in colour)
        ]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


class Painted(HTMLParser):
    """The contrast of each piece of text with what lies behind it, on a page with these colours."""

    def __init__(self, html, paper, ink):
        super().__init__()
        paper = _over(paper, (0, 0, 0))
        self.layers, self.contrasts = [(paper, _over(ink, paper))], {}
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        paper, ink = self.layers[-1]
        style = dict(part.split(":", 1) for part in dict(attributes).get("style", "").split(";") if part)
        assert "opacity" not in style, "it changes colours in a way that is not counted here"
        paper = _over(style["background"], paper) if style.get("background", "none") != "none" else paper
        ink = _over(style["color"], paper) if style.get("color", "inherit") != "inherit" else ink
        # A browser gives links and code colours of its own, if nobody says otherwise.
        assert tag not in ("a", "pre", "code") or style.get("color") == "inherit", tag
        self.layers.append((paper, ink))

    def handle_endtag(self, tag):
        self.layers.pop()

    def handle_data(self, text):
        if text.strip():
            self.contrasts[text.strip()] = _contrast(*self.layers[-1])


@pytest.mark.parametrize(("paper", "ink"), PAGES)
def test_every_word_can_be_read_on_a_light_and_on_a_dark_page(paper, ink):
    failed, passed = _outcome(misconception="slug"), _outcome(passed=True)
    pages = [
        _page(*outcomes, notes=("NOTE",), background=BACKGROUND) for outcomes in ([failed], [failed, passed], [passed])
    ]
    contrasts = {text: ratio for page in pages for text, ratio in Painted(page, paper, ink).contrasts.items()}
    assert {"✓", "✗", "0 of 2 points", "1 of 2 points", "2 of 2 points", "NOTE", "HINT", "PICTURE  <x>"} <= set(
        contrasts
    )
    assert {text: ratio for text, ratio in contrasts.items() if ratio < 4.5} == {}


@pytest.mark.parametrize("name", ["report/exercise.html", "report/exercise.py", "core/texts.py"])
def test_reports_are_written_again_if_a_text_of_them_changes(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    for folder in ("report", "core"):
        shutil.copytree(ROOT / "syncpoint" / folder, tmp_path / folder)
    monkeypatch.setattr("syncpoint.report.notebook.PACKAGE", tmp_path)
    course = Course(ROOT)
    before = wording(course.spec("async"), course.misconceptions_page)
    assert wording(course.spec("async"), course.misconceptions_page) == before
    with (tmp_path / name).open("a") as file:
        file.write("\n")
    assert wording(course.spec("async"), course.misconceptions_page) != before
