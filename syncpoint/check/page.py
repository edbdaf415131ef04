"""What a student sees of a check: HTML for the notebook, and the same as text."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ..core.messages import say
from ..report.row import AMBER, GREEN, STYLE, plain_row, row, wrapped
from .run import Finding


def render(exercise: str, found: Sequence[Finding]) -> str:
    """The findings as HTML, without scripts."""
    colour = GREEN if all(finding.passed for finding in found) else AMBER
    return "\n".join(
        [
            f'<div class="tex2jax_ignore mathjax_ignore" style="{STYLE["box"]}">',
            f'<div style="{STYLE["head"]}"><span>{escape(exercise)}</span>'
            f'<span style="{STYLE["points"]};background:{colour}">{escape(_count(found))}</span></div>',
            *map(row, found),
            f'<div style="{STYLE["note"]}">{escape(say("check_is_no_score"))}</div>',
            "</div>",
        ]
    )


def plain(exercise: str, found: Sequence[Finding]) -> str:
    """The same as text."""
    lines = [line for finding in found for line in plain_row(finding)]
    return "\n".join([f"{exercise}: {_count(found)}", *lines, wrapped(say("check_is_no_score"), "  ")])


def _count(found: Sequence[Finding]) -> str:
    return say("check_count", passed=sum(finding.passed for finding in found), all=len(found))
