"""Draws the log of a failed test for the student: what their code enqueued, where it waited, in which order.

It is the log from which the verdict came.  Only kinds of operations, their devices and waits are shown: no values.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

from .observation import Event, Log

MOST_STEPS, MOST_DEVICES, MOST_NAMES = 16, 6, 5  # so many are drawn; a log comes from the student's side
CAPTION = "Time goes to the right, in steps: this is the order, not a clock."
LEFT, COLUMN, ROW, TOP = 76, 38, 24, 22  # pixels
SMALLEST = 0.85  # of its size: below that its words cannot be read, and a narrow page scrolls instead
BLUE, ORANGE, RED = "#7fb8e6", "#f5b26b", "#c62f2f"


@dataclass(frozen=True)
class Step:
    """Operations that were enqueued one after the other for the same devices, a wait, or the start of a batch.

    names: of the batch, of the operations, or of the waiting function.  held: whether the front end stood still for
    unfinished work.
    """

    kind: str
    names: list[str]
    devices: tuple[int, ...] = ()
    held: bool = False

    def __str__(self) -> str:
        if self.kind == "wait":
            return f"wait ({self.names[0]})" if self.held else f"{self.names[0]}, with nothing to wait for"
        if self.kind == "start":
            return self.names[0]
        different = list(dict.fromkeys(self.names))
        names = ", ".join(different[:MOST_NAMES]) + (", ..." if len(different) > MOST_NAMES else "")
        return f"enqueue {len(self.names)} ({names}) for {' and '.join(map(device_name, self.devices))}"


@dataclass(frozen=True)
class Timeline:
    """The part of a log that is drawn.

    marked: the place in ``steps`` of the wait that decided, or None.  sentence: what is to be seen.
    before, after: how many steps are left out at the two ends.
    """

    steps: tuple[Step, ...]
    marked: int | None
    sentence: str
    before: int
    after: int


def timeline(log: Log) -> Timeline:
    """What to draw of a log: the wait that decided and what stands around it, or the end."""
    steps, decisive = _steps(log.events)
    sentence = _sentence(steps, decisive, log)
    if log.missing_wait:
        decisive = None
    end = len(steps) if decisive is None else min(len(steps), decisive + MOST_STEPS // 2)
    first = max(0, end - MOST_STEPS)
    drawn = steps[first : first + MOST_STEPS]
    marked = None if decisive is None else decisive - first
    left_out = len(steps) - first - len(drawn)
    return Timeline(tuple(drawn), marked, sentence, first, left_out)


def device_name(number: int) -> str:
    """How the pictures name a device."""
    return f"device {number}" if number else "the host"


def _steps(events: Iterable[Event]) -> tuple[list[Step], int | None]:
    """The steps of a log, and the place of the wait that may have decided: the first one that held the front end up.

    If some wait let unrelated work go, it is that one: nothing else had to wait for it.
    """
    steps: list[Step] = []
    first = unrelated = None
    for event in events:
        if event.kind == "enqueue":
            devices = tuple(sorted({*event.reads, *event.writes}))[:MOST_DEVICES]
            if not steps or steps[-1].kind != "enqueue" or steps[-1].devices != devices:
                steps.append(Step("enqueue", [], devices))
            steps[-1].names.append(event.label[:24])
        elif event.kind in ("wait", "stall"):
            hidden = "a wait" if event.target == "array" else "inside an operation"
            steps.append(Step("wait", [hidden if event.hidden else event.label], held=bool(event.opened)))
            if event.opened and first is None:
                first = len(steps) - 1
            if "unrelated" in event.opened and unrelated is None:
                unrelated = len(steps) - 1
        elif event.kind == "start":  # of a batch of a training loop
            steps.append(Step("start", [event.label[:9]]))
    return steps, first if unrelated is None else unrelated


def _sentence(steps: Sequence[Step], decisive: int | None, log: Log) -> str:
    if decisive is None:
        unfinished = " and returned before all of it was done" if log.events and log.events[-1].pending else ""
        return f"Your code enqueued {_operations(steps)}{unfinished}. No wait held it up."
    if log.missing_wait:
        waits = [place for place, step in enumerate(steps) if step.held]
        rows = [steps[first:last] for first, last in pairwise([0, *waits, len(steps)])]
        return (
            "No wait is marked: one is missing, or waits for too little. Enqueued in a row without a wait: "
            f"up to {_operations(max(rows, key=_count))}; after the last wait: {_operations(rows[-1])}."
        )
    before, after = _operations(steps[:decisive]), _operations(steps[decisive + 1 :])
    return f"The marked wait held your code up. Enqueued before it: {before}; after it: {after}."


def _operations(steps: Sequence[Step]) -> str:
    count = _count(steps)
    return f"{count or 'no'} operation{'' if count == 1 else 's'}"


def _count(steps: Sequence[Step]) -> int:
    return sum(len(step.names) for step in steps if step.kind == "enqueue")


# --- as text ------------------------------------------------------------------------------------------------------


def describe(log: Log) -> str:
    """The timeline of a log in words; "" if there is none."""
    if not log.events:
        return ""
    shown = timeline(log)
    steps = [f"{step} <- HERE" if place == shown.marked else str(step) for place, step in enumerate(shown.steps)]
    if shown.before:
        steps.insert(0, f"... {shown.before} before")
    steps.append(f"... and {shown.after} more" if shown.after else "return")
    return f"{shown.sentence} In order: {'; '.join(steps)}."


# --- as a picture -------------------------------------------------------------------------------------------------


def draw(log: Log) -> str:
    """The timeline of a log as HTML with an SVG picture, without scripts; "" if there is none."""
    if not log.events:
        return ""
    shown = timeline(log)
    devices = sorted({device for step in shown.steps for device in step.devices})[:MOST_DEVICES]
    end = LEFT + COLUMN * len(shown.steps)
    bottom = TOP + ROW * (1 + len(devices))
    width = max(end + 60, LEFT + 2 * len(CAPTION) * 3)
    parts = [
        f'<svg viewBox="0 0 {width} {bottom + 22}" role="img" aria-label="{escape(describe(log))}" '
        f'style="display:block;width:{width}px;max-width:100%;min-width:{SMALLEST * width:.0f}px;font:11px sans-serif" '
        'fill="currentColor">'
    ]
    for row, name in enumerate(["front end", *map(device_name, devices)]):
        parts.append(f'<text x="0" y="{TOP + ROW * row + 14}">{name}</text>')
        parts.append(_line(LEFT, TOP + ROW * row + 22, end, TOP + ROW * row + 22, "0.3"))
    for place, step in enumerate(shown.steps):
        parts += _column(step, LEFT + COLUMN * place, devices)
    if shown.marked is not None:
        left = LEFT + COLUMN * shown.marked
        parts.append(
            f'<rect x="{left - 2}" y="{TOP - 4}" width="{COLUMN + 1}" height="{bottom - TOP + 4}" rx="3" '
            f'fill="none" stroke="{RED}" stroke-width="2.5"/>'
        )
        parts.append(f'<text x="{left + COLUMN / 2}" y="12" text-anchor="middle" font-weight="bold">here</text>')
    parts.append(f'<text x="{end + 6}" y="{TOP + 14}">{f"+ {shown.after} more" if shown.after else "return"}</text>')
    earlier = f"{shown.before} steps before are not drawn. " if shown.before else ""
    parts.append(f'<text x="{LEFT}" y="{bottom + 14}">{earlier}{CAPTION}</text>')
    sentence = f'<div style="font-size:13px">{escape(shown.sentence)}</div>'
    return f'{sentence}<div style="overflow-x:auto">{"".join(parts)}</svg></div>'


def _column(step: Step, left: int, devices: Sequence[int]) -> list[str]:
    """The boxes of one step: on the front end, and on each device that got work."""
    note = f"<title>{escape(str(step))}</title>"
    if step.kind == "wait":
        fill = f'fill="{RED}"' if step.held else f'fill="none" stroke="{RED}" stroke-dasharray="3 2"'
        word = _word("wait", left, "#fff" if step.held else "currentColor")
        return [f"<g>{note}{_box(left, 0, fill)}{word}</g>"]
    if step.kind == "start":
        return [_word(escape(step.names[0]), left, "currentColor")]
    rows = [1 + devices.index(device) for device in step.devices if device in devices]
    work = "".join(_box(left, row, f'fill="{ORANGE}"') for row in rows)
    order = _box(left, 0, f'fill="{BLUE}"') + _word(str(len(step.names)), left, "#111")
    return [f"<g>{note}{order}{work}</g>"]


def _box(left: int, row: int, paint: str) -> str:
    return f'<rect x="{left + 1}" y="{TOP + ROW * row}" width="{COLUMN - 5}" height="19" rx="2" {paint}/>'


def _word(word: str, left: int, colour: str) -> str:
    middle = left + COLUMN / 2 - 1.5
    return f'<text x="{middle}" y="{TOP + 14}" text-anchor="middle" fill="{colour}">{word}</text>'


def _line(x1: int, y1: int, x2: int, y2: int, opacity: str) -> str:
    return f'<path d="M{x1} {y1}L{x2} {y2}" stroke="currentColor" opacity="{opacity}"/>'
