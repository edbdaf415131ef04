"""The feedback report of one exercise, as HTML without scripts (everything that is not ours escaped) and as text."""

import textwrap
from html import escape

from ..core.messages import say
from ..core.results import ExerciseResult, TestResult
from ..core.strip import strip_control
from .background import Background
from .misconceptions import Misconception
from .timeline import describe, draw

# Words take the colour of the page around them, so that they can be read on a light and on a dark one; what has a
# colour of ours has a background of ours, too.
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
    "link": "color:inherit;text-decoration:underline",
}
GREEN, AMBER, RED = "#1d7a43", "#8f5b00", "#b83232"
WIDTH = 88  # of a report in plain text


BARE = Background()


# --- HTML ---------------------------------------------------------------------------------------------------------


def render(exercise: ExerciseResult, background: Background = BARE) -> str:
    """The report of an exercise as HTML.  A section that fits several tests stands below the first of them."""
    share = exercise.points / exercise.max_points if exercise.max_points else 0.0
    colour = GREEN if share == 1 else RED if share == 0 else AMBER
    parts = [
        # What students name, MathJax on the page must not read as formulas.
        f'<div class="tex2jax_ignore mathjax_ignore" style="{STYLE["box"]}">',
        f'<div style="{STYLE["head"]}"><span>{escape(_name(exercise))}</span>'
        f'<span style="{STYLE["points"]};background:{colour}">{_points(exercise)}</span></div>',
        f'<div style="{STYLE["bar"]}"><div style="height:6px;border-radius:3px;background:{colour};'
        f'width:{100 * share:.0f}%"></div></div>',
    ]
    parts += [f'<div style="{STYLE["note"]}">{escape(note)}</div>' for note in _notes(exercise, background)]
    parts += [f'<div style="{STYLE["more"]}">{escape(sentence)}</div>' for sentence in _sum(exercise)]
    told: set[str] = set()
    for test in exercise.tests:
        section = background.explains(test)
        box = _box(section, background.url) if section and section.slug not in told else ""
        told.add(test.misconception)
        parts.append(_row(test, box))
    return "\n".join([*parts, "</div>"])


def _row(test: TestResult, box: str) -> str:
    mark, colour = ("✓", GREEN) if test.passed else ("✗", RED)
    lines = [f"<div>{escape(test.title)}{escape(_worth(test))}</div>"]
    lines += [
        f'<div style="{STYLE["more"]}"><span style="{STYLE["label"]}">{label}:</span> {escape(text)}</div>'
        for label, text in _explanations(test)
    ]
    return (
        f'<div style="{STYLE["row"]}"><span style="{STYLE["mark"]};background:{colour}" '
        f'title="{escape(say("test_passed" if test.passed else "test_not_passed"))}">{mark}</span>'
        f'<div style="min-width:0">{"".join(lines)}{draw(test.timeline)}{box}</div></div>'
    )


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
    lines = [f"{_name(exercise)}: {_points(exercise)}"]
    lines += [_wrapped(note, "  ! ") for note in _notes(exercise, background)]
    lines += [_wrapped(sentence, "  ") for sentence in _sum(exercise)]
    for test in exercise.tests:
        lines.append(_wrapped(test.title + _worth(test), "  [ok] " if test.passed else "  [--] "))
        lines += [_wrapped(say("labelled", label=label, text=text), " " * 7) for label, text in _explanations(test)]
        lines += [_wrapped(describe(test.timeline), " " * 7)] if test.timeline else []
    sections = {s.slug: s for s in map(background.explains, exercise.tests) if s}
    lines += ["", f"  {say('belief_summary')}:"] if sections else []
    for section in sections.values():
        lines += ["", f"  {section.title}"]
        for words, picture in section.parts:
            lines += [_wrapped(words, "  "), "", textwrap.indent(picture.rstrip(), "      ")]
        lines += ["", f"  {say('whole_page')}: {background.url}#{section.slug}"] if background.url else []
    return "\n".join(lines)


def _wrapped(text: str, start: str) -> str:
    """Lines of a paragraph."""
    return textwrap.fill(strip_control(text), WIDTH, initial_indent=start, subsequent_indent=" " * len(start))


# --- what both show -----------------------------------------------------------------------------------------------


def _name(exercise: ExerciseResult) -> str:
    return exercise.name.removeprefix("test_")


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


def _worth(test: TestResult) -> str:
    lesson = " " + say("lesson") if test.core else ""
    return lesson if test.weight == 1 else f"{lesson} {say('counts', weight=test.weight)}"


def _explanations(test: TestResult) -> list[tuple[str, str]]:
    """What was seen and which way to look, each with its label; nothing for a test that passed."""
    explanations = [(say("seen"), str(test.said or "")), (say("hint"), test.hint)]
    return [] if test.passed else [(label, text) for label, text in explanations if text]
