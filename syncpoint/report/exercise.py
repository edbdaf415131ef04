"""The feedback report of one exercise, as HTML without scripts (everything that is not ours escaped) and as text."""

import re
import textwrap
from html import escape

from ..core.messages import say
from ..core.results import ExerciseResult, exercise_name
from .background import Background
from .misconceptions_page import Misconception
from .row import AMBER, GREEN, RED, STYLE, plain_row, row, wrapped

BARE = Background()


# --- HTML ---------------------------------------------------------------------------------------------------------


def render(exercise: ExerciseResult, background: Background = BARE) -> str:
    """The report of an exercise as HTML.  A section that fits several tests stands below the first of them."""
    share = exercise.points / exercise.max_points if exercise.max_points else 0.0
    colour = GREEN if share == 1 else RED if share == 0 else AMBER
    parts = [
        # What students name, MathJax on the page must not read as formulas.
        f'<div class="tex2jax_ignore mathjax_ignore" style="{STYLE["box"]}">',
        f'<div style="{STYLE["head"]}"><span>{escape(exercise_name(exercise.name))}</span>'
        f'<span style="{STYLE["points"]};background:{colour}">{_points(exercise)}</span></div>',
        f'<div style="{STYLE["bar"]}"><div style="height:6px;border-radius:3px;background:{colour};'
        f'width:{100 * share:.0f}%"></div></div>',
    ]
    parts += [f'<div style="{STYLE["note"]}">{_with_code(note)}</div>' for note in _notes(exercise, background)]
    parts += [f'<div style="{STYLE["more"]}">{escape(sentence)}</div>' for sentence in _sum(exercise)]
    told: set[str] = set()
    for test in exercise.tests:
        section = background.explains(test)
        box = _box(section, background.url) if section and section.slug not in told else ""
        told.add(test.misconception)
        parts.append(row(test, box))
    return "\n".join([*parts, "</div>"])


def _with_code(note: str) -> str:
    """A note as HTML: what stands between backticks, such as the name of a cell, is code."""
    return re.sub("`([^`]*)`", r'<code style="background:none;color:inherit">\1</code>', escape(note))


def _box(section: Misconception, url: str) -> str:
    whole = escape(say("whole_page"))
    link = f'<a style="{STYLE["link"]}" href="{escape(url)}#{section.slug}">{whole}</a>' if url else ""
    return (
        f'<details style="{STYLE["details"]}"><summary style="{STYLE["summary"]}">'
        f"{escape(say('belief_summary'))}</summary>"
        f'<div style="{STYLE["label"]}">{escape(section.title)}</div>{section.html}{link}</details>'
    )


# --- plain text ---------------------------------------------------------------------------------------------------


def plain(exercise: ExerciseResult, background: Background = BARE) -> str:
    """The same report as plain text; the sections stand below the tests."""
    lines = [f"{exercise_name(exercise.name)}: {_points(exercise)}"]
    lines += [wrapped(note, "  ! ") for note in _notes(exercise, background)]
    lines += [wrapped(sentence, "  ") for sentence in _sum(exercise)]
    for test in exercise.tests:
        lines += plain_row(test)
    sections = {s.slug: s for s in map(background.explains, exercise.tests) if s}
    lines += ["", f"  {say('belief_summary')}:"] if sections else []
    for section in sections.values():
        lines += ["", f"  {section.title}"]
        for words, picture in section.parts:
            lines += [wrapped(words, "  "), "", textwrap.indent(picture.rstrip(), "      ")]
        lines += ["", f"  {say('whole_page')}: {background.url}#{section.slug}"] if background.url else []
    return "\n".join(lines)


# --- what both show -----------------------------------------------------------------------------------------------


def _points(exercise: ExerciseResult) -> str:
    return say("points", points=exercise.points, most=exercise.max_points)


def _notes(exercise: ExerciseResult, background: Background) -> list[str]:
    return [note for note in (background.banner, *map(str, exercise.notes)) if note]


def _sum(exercise: ExerciseResult) -> list[str]:
    """How the points come about, where some are missing and half of them are for the core tests."""
    if exercise.core_passed is None or exercise.points == exercise.max_points:
        return []
    half = exercise.max_points / 2
    lesson = half if exercise.core_passed else 0.0
    return [say("half_for_lesson", half=half, lesson=lesson, shared=exercise.points - lesson)]
