"""Draws the timeline of a failed test for the student, in words and as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ..core.language import in_language
from ..core.messages import say
from ..core.timeline import Step, Timeline

MOST_DEVICES, MOST_NAMES = 6, 5  # so many are drawn
WAITS = {"wait": "", "hidden wait": "hidden_wait", "inside": "wait_inside"}  # a wait has a name of its own
LEFT, COLUMN, ROW, TOP = 76, 38, 24, 22  # pixels
SMALLEST = 0.85  # of its size: below that its words cannot be read, and a narrow page scrolls instead
BLUE, ORANGE, RED = "#7fb8e6", "#f5b26b", "#c62f2f"


# --- as text ------------------------------------------------------------------------------------------------------


def describe(shown: Timeline | None) -> str:
    """The timeline in words; "" if there is none."""
    if shown is None:
        return ""
    steps = [_words(step) for step in shown.steps]
    if shown.marked is not None:
        steps[shown.marked] = say("step_here", step=steps[shown.marked])
    if shown.before:
        steps.insert(0, say("step_before", count=shown.before))
    steps.append(say("step_after", count=shown.after) if shown.after else say("step_end"))
    return say("steps_in_order", said=shown.said, steps="; ".join(steps))


def device_name(number: int) -> str:
    """How the pictures name a device."""
    return say("device", number=number) if number else say("host")


def _words(step: Step) -> str:
    if step.kind in WAITS:
        name = say(WAITS[step.kind]) if WAITS[step.kind] else in_language(step.names[0])
        return say("step_wait" if step.held else "step_idle_wait", name=name)
    if step.kind == "start":
        return in_language(step.names[0])
    names = ", ".join(step.names[:MOST_NAMES]) + (", ..." if len(step.names) > MOST_NAMES else "")
    devices = say("and").join(map(device_name, step.devices))
    return say("step_enqueue", count=step.count, names=names, devices=devices)


# --- as a picture -------------------------------------------------------------------------------------------------


def draw(shown: Timeline | None) -> str:
    """The timeline as HTML with an SVG picture, without scripts; "" if there is none."""
    if shown is None:
        return ""
    devices = sorted({device for step in shown.steps for device in step.devices})[:MOST_DEVICES]
    end = LEFT + COLUMN * len(shown.steps)
    bottom = TOP + ROW * (1 + len(devices))
    caption = say("picture_caption")
    width = max(end + 60, LEFT + 2 * len(caption) * 3)
    parts = [
        f'<svg viewBox="0 0 {width} {bottom + 22}" role="img" aria-label="{escape(describe(shown))}" '
        f'style="display:block;width:{width}px;max-width:100%;min-width:{SMALLEST * width:.0f}px;font:11px sans-serif" '
        'fill="currentColor">'
    ]
    for row, name in enumerate([say("picture_front_end"), *map(device_name, devices)]):
        parts.append(f'<text x="0" y="{TOP + ROW * row + 14}">{escape(name)}</text>')
        parts.append(_line(LEFT, TOP + ROW * row + 22, end, TOP + ROW * row + 22, "0.3"))
    for place, step in enumerate(shown.steps):
        parts += _column(step, LEFT + COLUMN * place, devices)
    if shown.marked is not None:
        left = LEFT + COLUMN * shown.marked
        parts.append(
            f'<rect x="{left - 2}" y="{TOP - 4}" width="{COLUMN + 1}" height="{bottom - TOP + 4}" rx="3" '
            f'fill="none" stroke="{RED}" stroke-width="2.5"/>'
        )
        parts.append(
            f'<text x="{left + COLUMN / 2}" y="12" text-anchor="middle" font-weight="bold">'
            f"{escape(say('picture_here'))}</text>"
        )
    last = say("step_more", count=shown.after) if shown.after else say("step_end")
    parts.append(f'<text x="{end + 6}" y="{TOP + 14}">{escape(last)}</text>')
    earlier = say("picture_earlier", count=shown.before) + " " if shown.before else ""
    parts.append(f'<text x="{LEFT}" y="{bottom + 14}">{escape(earlier + caption)}</text>')
    sentence = f'<div style="font-size:13px">{escape(str(shown.said))}</div>'
    # On a narrow page it scrolls: also for whoever has no mouse.
    return f'{sentence}<div style="overflow-x:auto" tabindex="0">{"".join(parts)}</svg></div>'


def _column(step: Step, left: int, devices: Sequence[int]) -> list[str]:
    """The boxes of one step: on the front end, and on each device that got work."""
    note = f"<title>{escape(_words(step))}</title>"
    if step.kind in WAITS:
        fill = f'fill="{RED}"' if step.held else f'fill="none" stroke="{RED}" stroke-dasharray="3 2"'
        word = _word(escape(say("picture_wait")), left, "#fff" if step.held else "currentColor")
        return [f"<g>{note}{_box(left, 0, fill)}{word}</g>"]
    if step.kind == "start":
        return [_word(escape(in_language(step.names[0])), left, "currentColor")]
    rows = [1 + devices.index(device) for device in step.devices if device in devices]
    work = "".join(_box(left, row, f'fill="{ORANGE}"') for row in rows)
    order = _box(left, 0, f'fill="{BLUE}"') + _word(str(step.count), left, "#111")
    return [f"<g>{note}{order}{work}</g>"]


def _box(left: int, row: int, paint: str) -> str:
    return f'<rect x="{left + 1}" y="{TOP + ROW * row}" width="{COLUMN - 5}" height="19" rx="2" {paint}/>'


def _word(word: str, left: int, colour: str) -> str:
    middle = left + COLUMN / 2 - 1.5
    return f'<text x="{middle}" y="{TOP + 14}" text-anchor="middle" fill="{colour}">{word}</text>'


def _line(x1: int, y1: int, x2: int, y2: int, opacity: str) -> str:
    return f'<path d="M{x1} {y1}L{x2} {y2}" stroke="currentColor" opacity="{opacity}"/>'
