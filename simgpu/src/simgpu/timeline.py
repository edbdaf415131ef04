"""Pictures of a device's log: streams, copies, gates and waits.

They are for a notebook, and as a trace for Chrome's and Perfetto's viewers.
"""

import html
import json
import unicodedata
import uuid
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from itertools import groupby
from pathlib import Path
from typing import Any

from simgpu.records import Entry, Gate, Place, Run
from simgpu.words import say

STREAMS = 128
# The style of each kind of box: a color, and lines in an 8 by 8 tile for people who do not see colors.
LOOKS = {
    "launch": ("#f5b26b", "M4 0V8"),
    "kernel": ("#7fb8e6", ""),
    "copy": ("#9bd39b", "M0 2H8M0 6H8"),
    "copy of pageable memory": ("#e6d98a", "M0 4H4"),
    "copy between devices": ("#9be0ee", "M2 0V8M6 0V8"),
    "collective": ("#e3a6cf", "M0 4H8M4 0V8"),
    "order between streams": ("#dddddd", "M2 0L6 4L2 8"),
    "wait of the host": ("#f3a5ad", "M-1 7L7 -1M1 9L9 1"),
}
SHOWN_AS = {
    **{
        "enqueue": "launch",
        "launch": "kernel",
        "ask": "kernel",
        "h2d": "copy",
        "d2h": "copy",
        "collective": "collective",
    },
    **{"upload": "copy of pageable memory", "download": "copy of pageable memory", "peer": "copy between devices"},
    **{"record": "order between streams", "stream wait": "order between streams"},
    **{"wait": "wait of the host", "full": "wait of the host"},
}
SIGNS = {  # of the kinds, in a console; if two share a column, the later one is visible
    **{
        "order between streams": ">",
        "wait of the host": "w",
        "launch": "l",
        "copy": "=",
        "copy of pageable memory": "~",
    },
    **{"copy between devices": "%", "collective": "@", "kernel": "#"},
}
LEFT, WIDTH, ROW = 170, 900.0, 26  # pixels


HOST = "host"  # the name of its row in the record


def stream_name(stream: int, words: Mapping[str, str] | None = None) -> str:
    """Return the name of a stream in pictures."""
    device, n = divmod(stream, STREAMS)
    kind, number = ("default stream", n) if n == 0 else ("stream", n) if n < 65 else ("communicator", n - 64)
    return say(words or {}, kind, device=device, number=number)


@dataclass(frozen=True)
class Span:
    """A box in time: a command that ran, a wait of the host, or the enqueueing of a command.

    Attributes:
        row: A stream's name, or ``host``.
        name: The name of the operation or wait.
        kind: The kind of the log's entry; ``enqueue`` for the moment of enqueueing.
        start: The beginning, in nanoseconds since the first entry.
        end: The end, in the same nanoseconds.
        entry: The entry of the log.
        queued: When the command was enqueued, in the same nanoseconds.
    """

    row: str
    name: str
    kind: str
    start: int
    end: int
    entry: Entry
    queued: int

    @property
    def look(self) -> str:
        """The kind of its box."""
        return SHOWN_AS.get(self.kind, "kernel")


@dataclass(frozen=True)
class Mark:
    """A point in time: a judge moved a gate, or the program called :func:`simgpu.mark`.

    Attributes:
        name: A sentence, or what the program calls it.
        time: Nanoseconds since the first of all.
        kind: ``gate`` or ``mark``.
        closed: Whether a gate was closed.
        lazy: Whether waits of the host open it.
    """

    name: str
    time: int
    kind: str = "mark"
    closed: bool = False
    lazy: bool = False


@dataclass(frozen=True)
class Timeline:
    """A log and its finished commands: ``print`` draws it in a console, a notebook shows a picture.

    Attributes:
        entries: The log.
        runs: The commands that have run.
        read: How far the device's log was read.
        ran: How far the record of its runs was read.
        gates: The work that a judge held and released; known only at the judge's end.
        words: The picture's texts in another language, by their names in :mod:`simgpu.words`.
        places: The lines of Python that enqueued the commands, in order.
    """

    entries: Sequence[Entry]
    runs: Sequence[Run]
    read: int = 0
    ran: int = 0
    gates: Sequence[Gate] = ()
    words: Mapping[str, str] = field(default_factory=dict)
    places: Sequence[Place] = ()

    def _say(self, name: str, **values: object) -> str:
        return say(self.words, name, **values)

    @cached_property
    def _zero(self) -> int:
        """Return when the picture begins: at the first entry, after the front end has loaded."""
        if not self.entries:
            return 0
        ran = {r.number for r in self.runs}
        shown = (e.time for e in self.entries if (e.is_command and e.number in ran) or e.kind in ("wait", "full"))
        gates = (gate.time for gate in self.gates if gate.time >= self.entries[0].time)
        return min([next(shown, self.entries[0].time), *gates])

    def spans(self) -> list[Span]:
        """Commands that ran and waits of the host, in the order of the log."""
        zero = self._zero
        ran = {r.number: r for r in self.runs}
        spans = []
        for e in self.entries:
            if e.is_command and e.number in ran:
                run = ran[e.number]
                spans.append(
                    Span(stream_name(e.stream), e.name, e.kind, run.start - zero, run.end - zero, e, e.time - zero)
                )
            elif e.kind in ("wait", "full"):
                ends = [ran[n].end for n in e.detail["targets"].values() if n in ran]
                spans.append(Span(HOST, e.name, e.kind, e.time - zero, max([e.time, *ends]) - zero, e, e.time - zero))
        return spans

    def marks(self) -> list[Mark]:
        """All gates that moved between the first entry and the end, and all marks, in order."""
        if not self.entries:
            return []
        first, last = self.entries[0].time, max([self.entries[-1].time, *(r.end for r in self.runs)])
        gates = [
            Mark(self._gate(gate), gate.time - self._zero, "gate", gate.closed, gate.lazy)
            for gate in self.gates
            if first <= gate.time <= last
        ]
        own = [Mark(e.name, max(e.time - self._zero, 0)) for e in self.entries if e.kind == "mark"]
        return sorted(gates + own, key=lambda mark: mark.time)

    def _gate(self, gate: Gate) -> str:
        moved = "gate opened" if not gate.closed else "gate closed until" if gate.lazy else "gate closed"
        return self._say(moved, what=self._say("everything") if gate.name == "everything" else gate.name)

    def place(self, number: int) -> Place | None:
        """Return the line of Python that enqueued a command; None if it is not known."""
        return place_of(self.places, number)

    def trace(self) -> dict[str, Any]:
        """Return Chrome's trace format: a process for the host and for each device, a thread for each stream.

        Arrows lead from the host to each command, from a stream to one that waits for it, and from the last command
        that the host waits for to the end of its wait.
        """
        host: dict[str, Any] = {"pid": -1, "tid": 0}
        events: list[dict[str, Any]] = [{"ph": "M", "name": "process_name", **host, "args": {"name": "host"}}]
        named: set[int] = set()
        spans = self.spans()
        ends = {s.entry.number: s for s in spans if s.row != HOST}
        for span in spans:
            waits, (device, n) = span.row == HOST, divmod(span.entry.stream, STREAMS)
            if not waits and span.entry.stream not in named:
                named.add(span.entry.stream)
                process, thread = {"name": f"simgpu:{device}"}, {"name": span.row}
                events.append({"ph": "M", "name": "process_name", "pid": device, "tid": 0, "args": process})
                events.append({"ph": "M", "name": "thread_name", "pid": device, "tid": n, "args": thread})
            args = {
                "command": span.entry.number,
                "reads": span.entry.reads,
                "writes": span.entry.writes,
                "enqueued": span.queued / 1e3,
            }
            args |= {k: v for k, v in span.entry.detail.items() if k != "new"}
            if (place := self.place(span.entry.number)) and not waits:
                args |= {"line": place.line, "file": place.file}
            row = host if waits else {"pid": device, "tid": n}
            length = {"ts": span.start / 1e3, "dur": (span.end - span.start) / 1e3}
            events.append({"ph": "X", "name": span.name, "cat": span.kind, **row, **length, "args": args})
            if not waits:
                sent = {"ts": span.queued / 1e3, "dur": 1}
                events.append({"ph": "X", "name": f"launch {span.name}", "cat": "enqueue", **host, **sent, "args": {}})
                events += _arrow("launch", host, span.queued, row, span.start)
            for source in map(ends.get, self._sources(span)):
                if source is not None:
                    where = dict(zip(("pid", "tid"), divmod(source.entry.stream, STREAMS), strict=True))
                    events += _arrow("order", where, source.end, row, span.end)
        for mark in self.marks():
            kind = {"ph": "i", "name": mark.name, "cat": mark.kind, **host, "s": "g"}
            events.append({**kind, "ts": mark.time / 1e3, "args": {"lazy": mark.lazy}})
        return {"traceEvents": events, "displayTimeUnit": "ms"}

    def _sources(self, span: Span) -> list[int]:
        """Return numbers of the commands that a wait (of the host or of a stream) waits for."""
        if span.kind == "stream wait":
            return [span.entry.detail["ticket"]]
        return list(span.entry.detail["targets"].values()) if span.row == HOST else []

    def export_chrome_trace(self, path: str | Path) -> None:
        """Write the trace, for chrome://tracing or ui.perfetto.dev."""
        Path(path).write_text(json.dumps(self.trace()))

    def remarks(self) -> list[str]:
        """Return a sentence for each failed command, and for each difference from CUDA."""
        entries = self.entries
        found = {
            "cuda pageable": any(e.kind == "upload" for e in entries),
            "cuda error": any(e.kind == "error" for e in entries),
            "cuda query": any(e.is_wait and e.name == "query" for e in entries),
            "cuda idle": any(e.kind == "wait" and sum(e.detail["pending"].values()) == 0 for e in entries),
        }
        failed = [self._say("failed", called=self._placed(e), number=e.number) for e in entries if e.kind == "error"]
        return failed + [self._say(name) for name, there in found.items() if there]

    def rows(self) -> dict[str, list[Span]]:
        """Return the boxes by row: first what the host enqueued and waited for, then each stream."""
        spans = self.spans()
        sent = [
            replace(s, row=HOST, name=self._say("launch"), kind="enqueue", start=s.queued, end=s.queued)
            for s in spans
            if s.row != HOST
        ]
        found: dict[str, list[Span]] = {HOST: []}
        for span in sorted(sent + spans, key=lambda s: (s.row, s.start)):
            found.setdefault(span.row, []).append(span)
        return found

    def describe(self) -> str:
        """Return the picture in words: the marks, and each row with its boxes in order; equal ones are counted."""
        parts = [self._caption()]
        for row, spans in self.rows().items():
            runs = (list(run) for _, run in groupby(spans, key=lambda s: (s.name, s.kind)))
            boxes = self._boxes(map(self._in_words, runs)) or self._say("nothing")
            parts.append(self._say("row", row=self._row(row, spans), boxes=boxes))
        parts += [self._say("gate at", ms=mark.time / 1e6, said=mark.name) for mark in self.marks()]
        return reduce(lambda rows, row: self._say("next row", rows=rows, row=row), parts)

    def __str__(self) -> str:
        return self.text()

    def text(self, width: int = 80) -> str:
        """Return the picture for a console.

        Args:
            width: Columns for the time, after the names of the rows.
        """
        rows, marks = self.rows(), self.marks()
        scale = width / _longest(self.spans(), marks)
        names = [self._row(row, spans) for row, spans in rows.items()]
        left = max(map(_columns, names)) + 1
        at = {min(int(mark.time * scale), width - 1): str(n)[-1] for n, mark in enumerate(marks, 1)}
        lines = [" " * (left + 1) + "".join(at.get(n, " ") for n in range(width)).rstrip()] if at else []
        shown = {}
        for name, spans in zip(names, rows.values(), strict=True):
            cells = [" "] * width
            for span in sorted(spans, key=lambda span: [*SIGNS].index(span.look)):
                shown[span.look] = SIGNS[span.look]
                first = min(int(span.start * scale), width - 1)
                for place in range(first, max(first + 1, min(int(span.end * scale), width))):
                    cells[place] = SIGNS[span.look]
            lines.append(f"{name}{' ' * (left - _columns(name))}|{''.join(cells)}|")
        lines.append(self._boxes([self._caption(), *(f"{sign} {self._say(look)}" for look, sign in shown.items())]))
        return "\n".join([*lines, *self._numbered(), *self.remarks()])

    def _numbered(self) -> list[str]:
        said = [self._say("gate at", ms=mark.time / 1e6, said=mark.name) for mark in self.marks()]
        return [self._say("numbered", number=n, said=text) for n, text in enumerate(said, 1)]

    def _boxes(self, boxes: Iterable[str]) -> str:
        """Join several texts in one line, separated as in the language."""
        found = [*boxes]
        return reduce(lambda before, box: self._say("next box", boxes=before, box=box), found) if found else ""

    def _row(self, row: str, spans: Sequence[Span]) -> str:
        return self._say("host") if row == HOST else stream_name(spans[0].entry.stream, self.words)

    def _caption(self) -> str:
        spans = self.spans()
        return self._say("caption", count=len(spans), ms=_longest(spans) / 1e6)

    def _placed(self, entry: Entry, called: str = "") -> str:
        """Return the name of a command, with the line that enqueued it."""
        return in_place(self.words, called or entry.name, self.place(entry.number))

    def _tip(self, span: Span) -> str:
        if span.kind == "enqueue":
            return self._say("sent", called=self._placed(span.entry), number=span.entry.number, ms=span.start / 1e6)
        called = self._placed(span.entry) if span.row != HOST else span.name
        tip = self._say("tip", called=called, number=span.entry.number, ms=(span.end - span.start) / 1e6)
        return self._with_gates(tip, [span])

    def _in_words(self, spans: Sequence[Span]) -> str:
        """Describe consecutive spans of one name in a row."""
        first, last = spans[0], spans[-1]
        name, kind = first.name, first.look
        if kind not in ("launch", "kernel", "wait of the host"):
            name = self._say("of a kind", called=name, kind=self._say(kind))
        if len(spans) == 1 and first.row != HOST:
            name = self._placed(first.entry, name)
        text = self._say(
            ("launches" if kind == "launch" else "boxes") if len(spans) > 1 else "box",
            called=name,
            count=len(spans),
            number=first.entry.number,
            last=last.entry.number,
            start=first.start / 1e6,
            end=last.end / 1e6,
            ms=sum(s.end - s.start for s in spans) / 1e6,
        )
        return text if kind == "launch" else self._with_gates(text, spans)

    def _with_gates(self, text: str, spans: Sequence[Span]) -> str:
        opened = sum(len(s.entry.detail.get("opened", ())) for s in spans)
        return self._say("opened", said=text, count=opened) if opened else text

    def _repr_html_(self) -> str:
        rows, marks = self.rows(), self.marks()
        longest = _longest(self.spans(), marks)
        own = uuid.uuid4().hex  # a page may contain several pictures
        shown = {span.look for spans in rows.values() for span in spans}
        looks = {name: look for name, look in LOOKS.items() if name in shown}
        parts = [_pattern(f"{n}-{own}", *look) for n, look in enumerate(looks.values())]
        fills = {name: f"url(#{n}-{own})" for n, name in enumerate(looks)}
        top = ROW if marks else 0
        for place, (row, spans) in enumerate(rows.items()):
            y = top + place * ROW
            parts.append(_text(4, y + 17, self._row(row, spans)))
            for span in sorted(spans, key=lambda s: s.kind == "enqueue"):  # marks are drawn above the waits around them
                x, long = LEFT + span.start / longest * WIDTH, max((span.end - span.start) / longest * WIDTH, 1.5)
                parts.append(_box(x, y + 4, long, fills[span.look], html.escape(self._tip(span))))
        bottom = top + len(rows) * ROW
        for n, mark in enumerate(marks, 1):
            x = LEFT + mark.time / longest * WIDTH
            dash = ' stroke-dasharray="3 3"' if mark.closed else ""
            line = f'x1="{x:.1f}" x2="{x:.1f}" y1="{ROW - 8}" y2="{bottom}"'
            parts.append(f'<line {line} stroke="currentColor"{dash}><title>{html.escape(mark.name)}</title></line>')
            near = sum(abs(other.time - mark.time) / longest * WIDTH < 12 for other in marks[: n - 1])
            parts.append(_text(x - 4 + 12 * near, ROW - 12, str(n)))
        at = float(LEFT)
        for name, fill in fills.items():
            kind = self._say(name)
            parts += [_box(at, bottom + 6, 16, fill), _text(at + 22, bottom + 19, kind)]
            at += 40 + 6.5 * _columns(kind)
        notes = "".join(f"<li>{html.escape(note)}</li>" for note in (*self._numbered(), *self.remarks()))
        size = f'viewBox="0 0 1080 {bottom + ROW}" width="100%"'
        svg = f'<svg role="img" aria-label="{html.escape(self.describe())}" {size}>{"".join(parts)}</svg>'
        below = f'{html.escape(self._caption())}<ul style="list-style:none">{notes}</ul>'
        return f"<figure>{svg}<figcaption>{below}</figcaption></figure>"


def place_of(places: Sequence[Place], number: int) -> Place | None:
    """Return the line of Python that enqueued a command; None if it is not known.

    Args:
        places: Lines, in the order of the commands; each holds for the commands up to the next one.
        number: The command's number.
    """
    at = bisect_right(places, number, key=lambda place: place.number)
    return places[at - 1] if at and places[at - 1].line else None


def in_place(words: Mapping[str, str], called: object, place: Place | None) -> str:
    """Return a name, with its line if known."""
    if place is None:
        return str(called)
    name = "in line of" if place.file else "in line"
    return say(words, name, what=called, line=place.line, file=Path(place.file).name)


def _arrow(name: str, start: dict[str, Any], begin: int, stop: dict[str, Any], end: int) -> Iterator[dict[str, Any]]:
    """Return an arrow of Chrome's trace, from one thread's box to another's."""
    both = {"name": name, "cat": name, "id": uuid.uuid4().hex}
    yield {"ph": "s", **both, **start, "ts": begin / 1e3}
    yield {"ph": "f", "bp": "e", **both, **stop, "ts": end / 1e3}


def _columns(text: str) -> int:
    """Return how many columns of a console a text takes."""
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)


def _longest(spans: Sequence[Span], marks: Sequence[Mark] = ()) -> int:
    return max([*(s.end for s in spans), *(mark.time for mark in marks)], default=1) or 1


def _pattern(name: str, color: str, lines: str) -> str:
    drawn = f'<path d="{lines}" stroke="#333" fill="none"/>' if lines else ""
    tile = f'<rect width="8" height="8" fill="{color}"/>{drawn}'
    return f'<defs><pattern id="{name}" width="8" height="8" patternUnits="userSpaceOnUse">{tile}</pattern></defs>'


def _box(x: float, y: float, width: float, fill: str, tip: str = "") -> str:
    title = f"<title>{tip}</title>" if tip else ""
    size = f'x="{x:.1f}" y="{y:.0f}" width="{width:.1f}" height="{ROW - 8}"'
    return f'<rect {size} fill="{fill}" stroke="#888" stroke-width="0.5">{title}</rect>'


def _text(x: float, y: float, words: str) -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" font-size="12" fill="currentColor">{html.escape(words)}</text>'
