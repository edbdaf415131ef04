"""The feedback report: plain HTML that shows what a student may read and nothing that they could put in."""

from html.parser import HTMLParser

import pytest

from syncpoint.judge.report import render
from syncpoint.judge.verdict import Outcome, Verdict

MARKUP = "<script>alert('&\"')</script><img src=x onerror=y>"


class Elements(HTMLParser):
    """The elements of a page, the names of their attributes, and its text."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.attributes, self.words = [], set(), ""
        self.open = 0
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attributes}
        self.open += 1

    def handle_endtag(self, tag):
        self.open -= 1

    def handle_data(self, data):
        self.words += data


def _outcome(passed=False, **texts):
    fields = {"name": "NAME", "title": "TITLE", "hint": "HINT", "message": "MESSAGE", "detail": "DETAIL", **texts}
    return Outcome(weight=1, passed=passed, seconds=0.0, **fields)


def _page(*outcomes, exercise="test_x", notes=(), banner=""):
    return render(Verdict(exercise, 2, outcomes, notes), banner)


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
    assert Elements(_page(_outcome(), _outcome(passed=True))).attributes <= {"style", "title"}


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


def test_notes_are_shown_even_if_nothing_was_tested():
    assert "NOTE" in Elements(_page(notes=("NOTE",))).words


def test_the_operators_sentence_is_shown():
    assert "BANNER" in Elements(_page(_outcome(), banner="BANNER")).words
