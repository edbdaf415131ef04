"""Pictures of a device's log: streams, copies, gates and waits.

They are for a notebook, and as a trace for Chrome's and Perfetto's viewers.
"""

import html
import json
import unicodedata
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any

from simgpu.records import Entry, Gate, Run
from simgpu.words import say

STREAMS = 128
# What the boxes of a kind look like: a colour, and lines across an 8 by 8 tile for whoever sees no colours.
LOOKS = {
    "launch": ("#7fb8e6", ""),
    "copy": ("#9bd39b", "M0 2H8M0 6H8"),
    "copy of pageable memory": ("#e6d98a", "M0 4H4"),
    "copy between devices": ("#9be0ee", "M2 0V8M6 0V8"),
    "collective": ("#e3a6cf", "M0 4H8M4 0V8"),
    "order between streams": ("#dddddd", "M2 0L6 4L2 8"),
    "wait of the host": ("#f3a5ad", "M-1 7L7 -1M1 9L9 1"),
}
SHOWN_AS = {
    **{"launch": "launch", "ask": "launch", "h2d": "copy", "d2h": "copy", "collective": "collective"},
    **{"upload": "copy of pageable memory", "download": "copy of pageable memory", "peer": "copy between devices"},
    **{"record": "order between streams", "stream wait": "order between streams"},
    **{"wait": "wait of the host", "full": "wait of the host"},
}
LEFT, WIDTH, ROW = 170, 900.0, 26  # pixels
GATE = "#994455"


HOST = "host"  # the name of its row in the record


def stream_name(stream: int, words: Mapping[str, str] | None = None) -> str:
    """Return the name of a stream in pictures."""
    device, n = divmod(stream, STREAMS)
    kind, number = ("default stream", n) if n == 0 else ("stream", n) if n < 65 else ("communicator", n - 64)
    return say(words or {}, kind, device=device, number=number)


@dataclass(frozen=True)
class Span:
    """Something with a length: a command that ran, or a wait of the host.

    Attributes:
        row: A stream's name, or ``host``.
        name: What.
        kind: Of the log's entry.
        start: Nanoseconds since the first of all.
        end: The same.
        entry: What stands in the log.
        queued: When the command was enqueued, in the same nanoseconds.
    """

    row: str
    name: str
    kind: str
    start: int
    end: int
    entry: Entry
    queued: int


@dataclass(frozen=True)
class Timeline:
    """A log and what of it has run.

    Attributes:
        entries: The log.
        runs: What has run.
        read: Up to where in the device's log it was read.
        ran: The same of its runs.
        gates: What a judge has held and let go; known to whoever has the judge's end.
        words: What the picture says, in another language: texts by their names, see :mod:`simgpu.words`.
    """

    entries: Sequence[Entry]
    runs: Sequence[Run]
    read: int = 0
    ran: int = 0
    gates: Sequence[Gate] = ()
    words: Mapping[str, str] = field(default_factory=dict)

    def _say(self, name: str, **values: object) -> str:
        return say(self.words, name, **values)

    @cached_property
    def _zero(self) -> int:
        """Return when the picture begins: with its first entry, not while the front end still loads."""
        ran = {r.number for r in self.runs}
        shown = (e.time for e in self.entries if (e.is_command and e.number in ran) or e.kind in ("wait", "full"))
        gates = (gate.time for gate in self.gates if gate.time >= self.entries[0].time)
        return min([next(shown, self.entries[0].time), *gates])

    def spans(self) -> list[Span]:
        """Commands that ran and waits of the host, in the order of the log."""
        if not self.entries:
            return []
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

    def marks(self) -> list[tuple[str, Gate]]:
        """A sentence for each gate that was moved after the first entry and before the end of all that is shown."""
        if not self.entries:
            return []
        first, last = self.entries[0].time, max([self.entries[-1].time, *(r.end for r in self.runs)])
        return [(self._gate(gate), gate) for gate in self.gates if first <= gate.time <= last]

    def _gate(self, gate: Gate) -> str:
        said = "gate opened" if not gate.closed else "gate closed until" if gate.lazy else "gate closed"
        return self._say(said, what=self._say("everything") if gate.name == "everything" else gate.name)

    def trace(self) -> dict[str, Any]:
        """As Chrome's trace format: a process for the host and one for each device, a thread for each stream."""
        events: list[dict[str, Any]] = [
            {"ph": "M", "name": "process_name", "pid": -1, "tid": 0, "args": {"name": "host"}}
        ]
        named: set[int] = set()
        for span in self.spans():
            host, (device, n) = span.row == HOST, divmod(span.entry.stream, STREAMS)
            if not host and span.entry.stream not in named:
                named.add(span.entry.stream)
                events.append(
                    {"ph": "M", "name": "process_name", "pid": device, "tid": 0, "args": {"name": f"simgpu:{device}"}}
                )
                events.append({"ph": "M", "name": "thread_name", "pid": device, "tid": n, "args": {"name": span.row}})
            told = {
                "command": span.entry.number,
                "reads": span.entry.reads,
                "writes": span.entry.writes,
                "enqueued": span.queued / 1e3,
            }
            told |= {k: v for k, v in span.entry.detail.items() if k != "new"}
            place = {"pid": -1 if host else device, "tid": 0 if host else n}
            length = {"ts": span.start / 1e3, "dur": (span.end - span.start) / 1e3}
            events.append({"ph": "X", "name": span.name, "cat": span.kind, **place, **length, "args": told})
        for name, gate in self.marks():
            mark = {"ph": "i", "name": name, "cat": "gate", "pid": -1, "tid": 0, "s": "g"}
            events.append({**mark, "ts": (gate.time - self._zero) / 1e3, "args": {"lazy": gate.lazy}})
        return {"traceEvents": events, "displayTimeUnit": "ms"}

    def export_chrome_trace(self, path: str | Path) -> None:
        """Write the trace, for chrome://tracing or ui.perfetto.dev."""
        Path(path).write_text(json.dumps(self.trace()))

    def remarks(self) -> list[str]:
        """A sentence for each place where CUDA would have behaved differently."""
        entries = self.entries
        found = {
            "cuda pageable": any(e.kind == "upload" for e in entries),
            "cuda error": any(e.kind == "error" for e in entries),
            "cuda query": any(e.is_wait and e.name == "query" for e in entries),
            "cuda idle": any(e.kind == "wait" and sum(e.detail["pending"].values()) == 0 for e in entries),
        }
        return [self._say(name) for name, there in found.items() if there]

    def rows(self) -> dict[str, list[Span]]:
        """Return the entries by row: first the host's waits, then each stream."""
        found: dict[str, list[Span]] = {HOST: []}
        for span in sorted(self.spans(), key=lambda s: (s.row, s.start)):
            found.setdefault(span.row, []).append(span)
        return found

    def describe(self) -> str:
        """The picture in words: the gates, and each row with its boxes in their order; equal ones are counted."""
        said = [self._caption()]
        for row, spans in self.rows().items():
            runs = (list(run) for _, run in groupby(spans, key=lambda s: (s.name, s.kind)))
            boxes = "; ".join(map(self._in_words, runs)) or self._say("nothing")
            said.append(self._say("row", row=self._row(row, spans), boxes=boxes))
        zero = self._zero if self.entries else 0
        said += [self._say("gate at", ms=(gate.time - zero) / 1e6, said=name) for name, gate in self.marks()]
        return ". ".join(said)

    def _row(self, row: str, spans: Sequence[Span]) -> str:
        return self._say("host") if row == HOST else stream_name(spans[0].entry.stream, self.words)

    def _caption(self) -> str:
        spans = self.spans()
        return self._say("caption", count=len(spans), ms=_longest(spans) / 1e6)

    def _tip(self, span: Span) -> str:
        said = self._say("tip", called=span.name, number=span.entry.number, ms=(span.end - span.start) / 1e6)
        return self._with_gates(said, [span])

    def _in_words(self, spans: Sequence[Span]) -> str:
        """Spans of one name that follow each other in a row."""
        first, last = spans[0], spans[-1]
        name, kind = first.name, SHOWN_AS.get(first.kind, "launch")
        if kind not in ("launch", "wait of the host"):
            name = self._say("of a kind", called=name, kind=self._say(kind))
        said = self._say(
            "boxes" if len(spans) > 1 else "box",
            called=name,
            count=len(spans),
            number=first.entry.number,
            last=last.entry.number,
            start=first.start / 1e6,
            end=last.end / 1e6,
            ms=sum(s.end - s.start for s in spans) / 1e6,
        )
        return self._with_gates(said, spans)

    def _with_gates(self, said: str, spans: Sequence[Span]) -> str:
        opened = sum(len(s.entry.detail.get("opened", ())) for s in spans)
        return self._say("opened", said=said, count=opened) if opened else said

    def _repr_html_(self) -> str:
        rows, longest, own = self.rows(), _longest(self.spans()), uuid.uuid4().hex  # a page may hold several pictures
        shown = {SHOWN_AS.get(s.kind, "launch") for spans in rows.values() for s in spans}
        looks = {name: look for name, look in LOOKS.items() if name in shown}
        parts = [_pattern(f"{n}-{own}", *look) for n, look in enumerate(looks.values())]
        fills = {name: f"url(#{n}-{own})" for n, name in enumerate(looks)}
        for place, (row, spans) in enumerate(rows.items()):
            parts.append(_text(4, place * ROW + 17, self._row(row, spans)))
            for span in spans:
                x, long = LEFT + span.start / longest * WIDTH, max((span.end - span.start) / longest * WIDTH, 1.5)
                fill = fills[SHOWN_AS.get(span.kind, "launch")]
                parts.append(_box(x, place * ROW + 4, long, fill, html.escape(self._tip(span))))
        bottom = len(rows) * ROW
        for name, gate in self.marks():
            x = LEFT + (gate.time - self._zero) / longest * WIDTH
            dash = ' stroke-dasharray="3 3"' if gate.closed else ""
            line = f'x1="{x:.1f}" x2="{x:.1f}" y1="0" y2="{bottom}"'
            parts.append(f'<line {line} stroke="{GATE}"{dash}><title>{html.escape(name)}</title></line>')
        at = float(LEFT)
        for name, fill in fills.items():
            kind = self._say(name)
            parts += [_box(at, bottom + 6, 16, fill), _text(at + 22, bottom + 19, kind)]
            at += 40 + sum(13 if unicodedata.east_asian_width(sign) in "WF" else 6.5 for sign in kind)
        remarks = "".join(f"<li>{html.escape(r)}</li>" for r in self.remarks())
        size = f'viewBox="0 0 1080 {bottom + ROW}" width="100%"'
        svg = f'<svg role="img" aria-label="{html.escape(self.describe())}" {size}>{"".join(parts)}</svg>'
        return f"<figure>{svg}<figcaption>{html.escape(self._caption())}<ul>{remarks}</ul></figcaption></figure>"


def _longest(spans: Sequence[Span]) -> int:
    return max((s.end for s in spans), default=1) or 1


def _pattern(name: str, colour: str, lines: str) -> str:
    drawn = f'<path d="{lines}" stroke="#333" fill="none"/>' if lines else ""
    tile = f'<rect width="8" height="8" fill="{colour}"/>{drawn}'
    return f'<defs><pattern id="{name}" width="8" height="8" patternUnits="userSpaceOnUse">{tile}</pattern></defs>'


def _box(x: float, y: float, width: float, fill: str, tip: str = "") -> str:
    title = f"<title>{tip}</title>" if tip else ""
    size = f'x="{x:.1f}" y="{y:.0f}" width="{width:.1f}" height="{ROW - 8}"'
    return f'<rect {size} fill="{fill}" stroke="#888" stroke-width="0.5">{title}</rect>'


def _text(x: float, y: float, words: str) -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" font-size="12" fill="currentColor">{html.escape(words)}</text>'
