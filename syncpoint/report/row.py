"""One test for the student, in feedback and in a notebook's check: as HTML without scripts, and as text."""

from __future__ import annotations

import textwrap
from typing import Protocol

from ..core.language import in_language
from ..core.messages import Message, say
from ..core.strip import strip_control
from ..core.timeline_data import Timeline
from .html import NOTHING, Html, coded, tag
from .timeline_picture import describe, section

# Text has the page's color, so it is readable on a light and on a dark page. Text with its own color also has its own
# background.
STYLE = {
    "box": "font-family:sans-serif;font-size:14px;line-height:1.45;max-width:52em;border:1px solid #8888;"
    "border-radius:6px;padding:.7em 1em;margin:.3em 0",
    "head": "display:flex;justify-content:space-between;font-weight:600;margin-bottom:.4em",
    "points": "color:#fff;border-radius:4px;padding:0 .5em",
    "bar": "height:6px;border-radius:3px;background:#8884;margin-bottom:.6em",
    "row": "display:flex;gap:.6em;padding:.35em 0;border-top:1px solid #8883",
    "mark": "color:#fff;border-radius:4px;width:1.4em;height:1.4em;flex:none;text-align:center;font-weight:600",
    "more": "font-size:13px",
    "label": "font-weight:600",
    "note": "background:#f5a62333;border-radius:4px;padding:.3em .6em;margin:.3em 0",
    "details": "border-left:3px solid #8888;padding-left:.8em;margin:.3em 0;font-size:13px",
    "summary": "cursor:pointer;display:list-item",
    "signs": "display:flex;flex-wrap:wrap;gap:.2em 1.2em;font-size:12px",
    "link": "color:inherit;text-decoration:underline",
    "code": "background:none;color:inherit",
}
GREEN, AMBER, RED = "#1d7a43", "#8f5b00", "#b83232"
WIDTH = 88  # characters of a line in a plain-text report


class ReportedTest(Protocol):
    """A test in a report: a :class:`~syncpoint.core.results.TestResult`, or what a visible test found."""

    @property
    def passed(self) -> bool: ...
    @property
    def title(self) -> str: ...
    @property
    def weight(self) -> float: ...
    @property
    def core(self) -> bool: ...
    @property
    def value(self) -> bool: ...
    @property
    def message(self) -> Message | None: ...
    @property
    def hint(self) -> str: ...
    @property
    def timeline(self) -> Timeline | None: ...


def row(test: ReportedTest, explained: set[str], box: Html = NOTHING) -> Html:
    """Return the test as HTML, with a box below the picture unless ``explained`` already has it."""
    mark, color, state = ("✓", GREEN, "test_passed") if test.passed else ("✗", RED, "test_not_passed")
    texts = [
        tag("div", *labelled(name, coded(text, style=STYLE["code"]), "span", style=STYLE["label"]), style=STYLE["more"])
        for name, text in explanations(test)
    ]
    title = tag("div", coded(in_language(test.title), style=STYLE["code"]), _worth(test))
    return tag(
        "div",
        tag("span", mark, style=f"{STYLE['mark']};background:{color}", title=say(state)),
        tag("div", title, *texts, section(test.timeline, explained), box, style="min-width:0"),
        style=STYLE["row"],
    )


def labelled(label: str, text: object, element: str, **attributes: object) -> tuple[object, ...]:
    """Return a label in an element, the space after it if the language has one, and a text."""
    start = say("labelled", label=label, text="")
    bare = start.rstrip()
    return tag(element, bare, **attributes), start[len(bare) :], text


def plain_row(test: ReportedTest) -> list[str]:
    """The test as text: its paragraphs."""
    lines = [wrapped(in_language(test.title) + _worth(test), "  [ok] " if test.passed else "  [--] ")]
    lines += [wrapped(say("labelled", label=label, text=text), " " * 7) for label, text in explanations(test)]
    return lines + ([wrapped(describe(test.timeline), " " * 7)] if test.timeline else [])


def wrapped(text: str, start: str, width: int = WIDTH) -> str:
    """Lines of a paragraph."""
    return textwrap.fill(strip_control(text), width, initial_indent=start, subsequent_indent=" " * len(start))


def _worth(test: ReportedTest) -> str:
    marks = "".join(f" {say(mark)}" for mark in ("core" * test.core, "value" * test.value) if mark)
    return marks if test.weight == 1 else f"{marks} {say('counts', weight=test.weight)}"


def explanations(test: ReportedTest) -> list[tuple[str, str]]:
    """Return the observation and the hint, each with its label; nothing for a test that passed."""
    explanations = [(say("seen"), str(test.message or "")), (say("hint"), in_language(test.hint))]
    return [] if test.passed else [(label, text) for label, text in explanations if text]
