"""Shows the timeline of a failed test to the student, in words and as a picture."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from unicodedata import east_asian_width

from ..core.language import in_language
from ..core.messages import listed, say
from ..core.timeline_data import LetGo, Queue, Step, Timeline
from .html import NOTHING, Html, join, tag

MOST_ROWS, MOST_NAMES = 8, 5  # the most that are drawn
WAITS = {"wait": "", "hidden wait": "hidden_wait", "inside": "wait_inside"}  # an ordinary wait has its own name
LEFT, COLUMN, ROW, TOP = 76, 38, 24, 22  # pixels
MIN_SCALE = 0.85  # relative size: below this, text is unreadable, so a narrow page scrolls instead
BLUE, ORANGE, RED = "#7fb8e6", "#f5b26b", "#c62f2f"
# The style of work: a color, and lines across its box for people who do not see colors.
LOOKS = {
    "enqueue": (ORANGE, ()),
    "copy": ("#9bd39b", ("M0 5h{width}", "M0 9.5h{width}", "M0 14h{width}")),
    "collective": ("#e3a6cf", ("M0 9.5h{width}", "M8 0v19", "M16 0v19", "M24 0v19")),
}
LEGEND = {"enqueue": "legend_work", "copy": "legend_copy", "collective": "legend_collective", "follow": "legend_follow"}
SMALL = "font-size:12px"


def describe(shown: Timeline | None) -> str:
    """Return the timeline in words; "" if there is none."""
    if shown is None:
        return ""
    return say("steps_in_order", message=shown.message, steps="; ".join(_in_order(shown)))


def _in_order(shown: Timeline) -> list[str]:
    steps = [_words(shown, place) for place in range(len(shown.steps))]
    if shown.before:
        steps.insert(0, say("step_before", count=shown.before))
    if shown.steps and shown.steps[-1].closed:
        steps.append(say("step_closed", count=shown.steps[-1].closed))
    return [*steps, say("step_after", count=shown.after) if shown.after else say("step_end")]


def device_name(number: int) -> str:
    return say("device", number=number) if number else say("host")


def _words(shown: Timeline, place: int) -> str:
    step = shown.steps[place]
    words = _doing(shown, place)
    if place == shown.marked:
        words = say("step_here", step=words)
    gone = step.let_go
    counted = {"held_inputs": gone.inputs, "held_results": gone.results, "held_others": gone.others}
    what = [say(code, count=count) for code, count in counted.items() if count]
    if what:
        return say("step_let_go", step=words, what=say("and").join(what))
    return say("step_held", step=words, count=step.closed) if _holds_more(shown, place) else words


def _holds_more(shown: Timeline, place: int) -> bool:
    """Whether the number of held results changes at a step, so that a screen reader reads it once."""
    step, before = shown.steps[place], shown.steps[place - 1] if place else None
    return step.closed > 0 and (before is None or before.let_go != LetGo() or before.closed != step.closed)


def _doing(shown: Timeline, place: int) -> str:
    step = shown.steps[place]
    if step.kind in WAITS:
        name = say(WAITS[step.kind]) if WAITS[step.kind] else in_language(step.names[0])
        return say("step_wait" if step.held else "step_idle_wait", name=name)
    if step.kind == "start":
        return _batch(step)
    if step.kind == "follow" and step.source:
        there = [n for n, other in enumerate(shown.steps[:place]) if other.kind in LOOKS and other.home == step.source]
        code = "step_follow" if not there or there[-1] == step.since else "step_follow_earlier"
        return say(code, queue=_queue_name(shown, step.home), source=_queue_name(shown, step.source))
    names = str(listed([*step.names[:MOST_NAMES], *["..."] * (len(step.names) > MOST_NAMES)]))
    if step.kind == "copy" and len(step.devices) == 2:
        source, target = map(device_name, step.devices)
        names = say("copy_from_to", source=source, target=target)
    elif step.kind == "collective":
        names = say("collective", name=names)
    queues = [step.home] if step.kind == "copy" else _queues(step)
    where = say("and").join(_queue_name(shown, queue) for queue in queues)
    return say("step_enqueue", count=step.count, names=names, devices=where)


def _batch(step: Step) -> str:
    """Return the name of a started batch, such as "batch 3"; a log may contain any name."""
    kind, _, number = step.names[0].partition(" ")
    return say("step_batch", number=number) if kind == "batch" and number.isdigit() else step.names[0]


def _queue_name(shown: Timeline, queue: Queue, short: bool = False) -> str:
    """Return the name of a queue: the only queue of a device has the device's name."""
    device, number = queue
    name = device_name(device)
    if not number and all(other[0] != device or not other[1] for other in _all_queues(shown)):
        return name
    kinds = {step.kind for step in shown.steps if step.home == queue and step.kind in LOOKS}
    code = "communicator" if kinds == {"collective"} and number else "stream" if number else "default_stream"
    return say(f"row_{code}" if short else code, device=name, number=number)


def _queues(step: Step) -> list[Queue]:
    """Return the queues of a step: its own, and the first one of each other device that it uses."""
    if step.kind not in (*LOOKS, "follow"):
        return []
    own = step.home
    found = [own if device == own[0] else (device, 0) for device in step.devices]
    if step.kind != "enqueue" and own[0]:  # the host only provides memory, and does not run it
        found = [queue for queue in found if queue[0]]
    return found


def _all_queues(shown: Timeline) -> list[Queue]:
    sources = {step.source for step in shown.steps if step.source}
    return sorted({queue for step in shown.steps for queue in _queues(step)} | sources)


def section(shown: Timeline | None, explained: set[str] | None = None) -> Html:
    """Return the timeline as HTML with an SVG picture, without scripts; empty if there is none.

    Its explanations are added to ``explained``, so that they are not repeated.
    """
    return _Picture(shown).section(set() if explained is None else explained) if shown is not None else NOTHING


def picture(shown: Timeline | None) -> Html:
    """Return the picture alone, as SVG; empty if there is none."""
    return _Picture(shown).svg() if shown is not None else NOTHING


def plain_picture(shown: Timeline | None) -> Html:
    """Return the picture for readers who do not know the grader.

    It has no mark, nothing about what the grader holds back, and counts the streams of each device from 1.
    """
    if shown is None:
        return NOTHING
    numbers: dict[Queue, int] = {}
    for device, number in _all_queues(shown):
        if number:
            numbers[device, number] = 1 + sum(other == device for other, _ in numbers)

    def new(queue: Queue) -> Queue:
        return queue[0], numbers.get(queue, queue[1])

    steps = [
        replace(
            step,
            queue=new(step.home)[1],
            source=step.source and new(step.source),
            closed=0,
            let_go=LetGo(),
        )
        for step in shown.steps
    ]
    return _Picture(replace(shown, steps=tuple(steps), marked=None)).svg(top=TOP - 4, smaller=True)


def legend(pictures: Iterable[Timeline | None]) -> Html:
    """Return the meaning of each sign in these pictures, with the sign."""
    steps = [step for shown in pictures if shown is not None for step in shown.steps]
    kinds = {step.kind for step in steps}
    waits = {step.held for step in steps if step.kind in WAITS}
    signs = []
    if not kinds.isdisjoint(LOOKS):
        signs.append((join(_box(0, 0, fill=BLUE), _word("3", 0, 0, "#111")), COLUMN - 3, "legend_host"))
    if True in waits:
        signs.append((_wait(0, 0, held=True), COLUMN - 3, "legend_wait"))
    if False in waits:
        signs.append((_wait(0, 0, held=False), COLUMN - 3, "legend_idle_wait"))
    return join(*(_sign(*one) for one in signs), *(_sign_of(kind) for kind in LEGEND if kind in kinds))


def _sign_of(kind: str) -> Html:
    if kind in LOOKS:
        return _sign(_work(0, 0, kind), COLUMN - 3, LEGEND[kind])
    return _sign(join(_bar(14, 0), _arrow(0, 9.5, 14, 9.5)), 20, LEGEND[kind])


def _sign(drawn: Html, width: int, code: str) -> Html:
    box = {"width": width, "height": 19, "viewBox": f"0 0 {width} 19"}
    sign = tag("svg", drawn, **box, aria_hidden="true", style="flex:none;font:11px sans-serif")
    return tag("div", sign, say(code), style="display:flex;gap:.4em;align-items:center")


class _Picture:
    """A timeline with its rows: the front end, the held results, and the queues."""

    def __init__(self, shown: Timeline) -> None:
        self._shown = shown
        self._gates = any(step.closed or step.let_go != LetGo() for step in shown.steps)
        self._first = 2 if self._gates else 1
        self._queues = _all_queues(shown)[:MOST_ROWS]
        names = [say("picture_front_end"), *[say("picture_held")] * self._gates]
        self._names = names + [_queue_name(shown, queue, short=True) for queue in self._queues]
        self._left = max(LEFT, 8 + max(map(width_of, self._names)))
        self._end = self._left + COLUMN * len(shown.steps)
        self._bottom = TOP + ROW * len(self._names)

    def section(self, explained: set[str]) -> Html:
        """Return the page's part: the sentence, the picture, its legend, and the same in words."""
        return join(
            tag("div", self._shown.message, style="font-size:13px"),
            # On a narrow page it scrolls, also with the keyboard.
            tag("div", self.svg(), style="overflow-x:auto", tabindex=0),
            self._new_signs(explained),
            self._in_words(),
        )

    def svg(self, top: int = 0, smaller: bool = False) -> Html:
        """The picture without so many pixels at its top, as large as usual or as a page for print needs it."""
        shown, end = self._shown, self._end
        last = say("step_more", count=shown.after) if shown.after else say("step_end")
        width = end + 12 + width_of(last)
        parts = []
        for row, name in enumerate(self._names):
            y = TOP + ROW * row
            parts.append(tag("text", name, x=0, y=y + 14))
            parts.append(_path(f"M{self._left} {y + 22}L{end} {y + 22}", stroke="currentColor", opacity=0.3))
        parts += map(self._column, range(len(shown.steps)))
        if shown.marked is not None:
            left = self._left + COLUMN * shown.marked
            box = {"x": left - 2, "y": TOP - 4, "width": COLUMN + 1, "height": self._bottom - TOP + 4, "rx": 3}
            parts.append(tag("rect", **box, fill="none", stroke=RED, stroke_width=2.5))
            middle = {"x": left + COLUMN / 2, "y": 12, "text_anchor": "middle"}
            parts.append(tag("text", say("picture_here"), **middle, font_weight="bold"))
        parts.append(tag("text", last, x=end + 6, y=TOP + 14))
        size = f"width:{width}px;max-width:100%;min-width:{MIN_SCALE * width:.0f}px"
        if smaller:
            size = f"max-width:min(100%,{MIN_SCALE * width:.0f}px)"
        return tag(
            "svg",
            *parts,
            viewBox=f"0 {top} {width} {self._bottom - top}",
            role="img",
            aria_label=describe(shown),
            style=f"display:block;{size};font:11px sans-serif",
            fill="currentColor",
        )

    def _new_signs(self, explained: set[str]) -> Html:
        """Return the legend: omitted parts, and signs that no earlier picture of the page explains."""
        shown, items = self._shown, []
        if shown.before:
            items.append(tag("div", say("picture_earlier", count=shown.before)))
        kinds = [kind for kind in LEGEND if any(step.kind == kind for step in shown.steps)]
        wanted = ["picture_caption", *(kinds if kinds != ["enqueue"] else []), *["legend_held"] * self._gates]
        new = [name for name in wanted if name not in explained]
        explained.update(new)
        if "picture_caption" in new:
            items.append(tag("div", say("picture_caption")))
        items += [_sign_of(kind) for kind in new if kind in LEGEND]
        if "legend_held" in new:
            items.append(tag("div", say("legend_held")))
        if not items:
            return NOTHING
        return tag("div", *items, style=f"{SMALL};display:flex;flex-wrap:wrap;gap:.2em 1.2em")

    def _in_words(self) -> Html:
        """Return the same in words, also for readers without a pointer."""
        steps = tag("ul", *(tag("li", step) for step in _in_order(self._shown)), style="margin:.2em 0")
        summary = tag("summary", say("picture_in_words"), style="cursor:pointer;display:list-item")
        return tag("details", summary, steps, style=SMALL)

    def _column(self, place: int) -> Html:
        """Draw the boxes of one step: on the front end, on each queue that got work, and the held results."""
        step, left = self._shown.steps[place], self._left + COLUMN * place
        title = tag("title", _words(self._shown, place))
        return tag("g", title, *self._boxes(step, left), *self._held(step, left))

    def _boxes(self, step: Step, left: int) -> Iterable[Html]:
        if step.kind in WAITS:
            yield _wait(left, TOP, step.held)
        elif step.kind == "start":
            yield _word(_batch(step), left, TOP, "currentColor")
        else:
            if step.kind in LOOKS:
                yield _box(left, TOP, fill=BLUE)
                yield _word(str(step.count), left, TOP, "#111")
            for queue in _queues(step):
                if queue in self._queues:
                    yield _work(left, self._top(queue), step.kind) if step.kind in LOOKS else self._follow(step, left)

    def _follow(self, step: Step, left: int) -> Html:
        """Draw a bar in a queue, with an arrow from the last work that it waits for."""
        bar = _bar(left + 22, self._top(step.home))
        if step.source not in self._queues:
            return bar
        start = left if step.since is None else self._left + COLUMN * (step.since + 1) - 4
        return join(bar, _arrow(start, self._top(step.source) + 9.5, left + 22, self._top(step.home) + 9.5))

    def _held(self, step: Step, left: int) -> Iterable[Html]:
        """Draw how much the judge holds back after a step and, for a wait, how much was released."""
        gone, top = step.let_go.inputs + step.let_go.results + step.let_go.others, TOP + ROW
        if step.closed:
            yield tag("rect", x=left, y=top, width=COLUMN, height=19, fill="currentColor", opacity=0.15)
        if step.closed or gone:
            yield _word(f"\N{MINUS SIGN}{gone}" if gone else str(step.closed), left, top, "currentColor")

    def _top(self, queue: Queue) -> int:
        return TOP + ROW * (self._first + self._queues.index(queue))


def _work(left: float, top: int, kind: str) -> Html:
    color, lines = LOOKS[kind]
    box = _box(left, top, fill=color, stroke="#777")
    if not lines:
        return box
    path = "".join(lines).format(width=COLUMN - 5)
    return join(box, _path(path, transform=f"translate({left + 1} {top})", stroke="#222", fill="none"))


def _wait(left: float, top: int, held: bool) -> Html:
    paint = {"fill": RED} if held else {"fill": "none", "stroke": RED, "stroke_dasharray": "3 2"}
    return join(_box(left, top, **paint), _word(say("picture_wait"), left, top, "#fff" if held else "currentColor"))


def _box(left: float, top: int, **paint: str) -> Html:
    return tag("rect", x=left + 1, y=top, width=COLUMN - 5, height=19, rx=2, **paint)


def _word(word: str, left: float, top: int, color: str) -> Html:
    place = {"x": left + COLUMN / 2 - 1.5, "y": top + 14, "text_anchor": "middle", "fill": color}
    fit = {"textLength": COLUMN - 9, "lengthAdjust": "spacingAndGlyphs"} if width_of(word) > COLUMN - 9 else {}
    return tag("text", word, **place, **fit)


def _bar(x: float, top: int) -> Html:
    return tag("rect", x=x, y=top - 1, width=5, height=21, fill="currentColor")


def _arrow(x1: float, y1: float, x2: float, y2: float) -> Html:
    line = _path(f"M{x1} {y1}L{x2 - 4} {y2}", stroke="currentColor", stroke_width=1.5, fill="none")
    return join(line, _path(f"M{x2} {y2}l-6 -4v8z", fill="currentColor"))


def _path(d: str, **paint: object) -> Html:
    return tag("path", d=d, **paint)


def width_of(text: str) -> int:
    """Return the approximate width of a text in pixels."""
    return round(sum(11 if east_asian_width(sign) in "WF" else 5.8 for sign in text))
