"""Renders the result of a check: HTML for the notebook, and the same as text."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.messages import say
from ..report.html import tag
from ..report.row import AMBER, GREEN, STYLE, plain_row, row, wrapped
from .visible_tests import Finding


def render(exercise: str, found: Sequence[Finding]) -> str:
    """Return the findings as HTML, without scripts."""
    explained = set[str]()
    color = GREEN if all(finding.passed for finding in found) else AMBER
    points = tag("span", _count(found), style=f"{STYLE['points']};background:{color}")
    return tag(
        "div",
        tag("div", tag("span", exercise), points, style=STYLE["head"]),
        *(row(finding, explained) for finding in found),
        tag("div", _note(found), style=STYLE["note"]),
        style=STYLE["box"],
        **{"class": "tex2jax_ignore mathjax_ignore"},
    )


def plain(exercise: str, found: Sequence[Finding]) -> str:
    """The same as text."""
    lines = [line for finding in found for line in plain_row(finding)]
    return "\n".join([f"{exercise}: {_count(found)}", *lines, wrapped(_note(found), "  ")])


def _note(found: Sequence[Finding]) -> str:
    """The note below all of them."""
    marked = any(finding.core for finding in found)
    return " ".join([say("core_means")] * marked + [say("check_is_no_score")])


def _count(found: Sequence[Finding]) -> str:
    return say("check_count", passed=sum(finding.passed for finding in found), all=len(found))
