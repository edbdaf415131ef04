"""Pictures of a device's log: streams, copies, gates and waits.

They are for a notebook, and as a trace for Chrome's and Perfetto's viewers.
"""

import html
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simgpu.records import Entry, Gate, Run

STREAMS = 128
COLOURS = {
    "launch": "#4477aa",
    "ask": "#4477aa",
    "h2d": "#228833",
    "d2h": "#228833",
    "upload": "#ccbb44",
    "download": "#ccbb44",
}
COLOURS |= {"peer": "#66ccee", "collective": "#aa3377", "record": "#bbbbbb", "stream wait": "#bbbbbb"}
WAIT = "#ee6677"
GATE = "#994455"


def stream_name(stream: int) -> str:
    """How a stream is called in pictures."""
    device, n = divmod(stream, STREAMS)
    kind = "default stream" if n == 0 else f"stream {n}" if n < 65 else f"communicator {n - 64}"
    return f"simgpu:{device} {kind}"


@dataclass(frozen=True)
class Span:
    """Something with a length: a command that ran, or a wait of the host.

    Attributes:
        row: A stream's name, or ``host``.
        name: What.
        kind: Of the log's entry.
        start: Nanoseconds since the first entry.
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
    """

    entries: Sequence[Entry]
    runs: Sequence[Run]
    read: int = 0
    ran: int = 0
    gates: Sequence[Gate] = ()

    def spans(self) -> list[Span]:
        """Commands that ran and waits of the host, in the order of the log."""
        if not self.entries:
            return []
        zero = self.entries[0].time
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
                spans.append(Span("host", e.name, e.kind, e.time - zero, max([e.time, *ends]) - zero, e, e.time - zero))
        return spans

    def marks(self) -> list[tuple[str, Gate]]:
        """A sentence for each gate that was moved after the first entry and before the end of all that is shown."""
        if not self.entries:
            return []
        first, last = self.entries[0].time, max([self.entries[-1].time, *(r.end for r in self.runs)])
        until = " until it is waited for"
        return [
            (f"gate closed: {g.name}{until * g.lazy}" if g.closed else f"gate opened: {g.name}", g)
            for g in self.gates
            if first <= g.time <= last
        ]

    def trace(self) -> dict[str, Any]:
        """As Chrome's trace format: a process for the host and one for each device, a thread for each stream."""
        events: list[dict[str, Any]] = [
            {"ph": "M", "name": "process_name", "pid": -1, "tid": 0, "args": {"name": "host"}}
        ]
        named: set[int] = set()
        for span in self.spans():
            host, (device, n) = span.row == "host", divmod(span.entry.stream, STREAMS)
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
            events.append({**mark, "ts": (gate.time - self.entries[0].time) / 1e3, "args": {"lazy": gate.lazy}})
        return {"traceEvents": events, "displayTimeUnit": "ms"}

    def export_chrome_trace(self, path: str | Path) -> None:
        """Write the trace, for chrome://tracing or ui.perfetto.dev."""
        Path(path).write_text(json.dumps(self.trace()))

    def remarks(self) -> list[str]:
        """A sentence for each place where CUDA would have behaved differently."""
        said = []
        if any(e.kind == "upload" for e in self.entries):
            said.append(
                "Copies from pageable memory always wait here; on CUDA a small one may return as soon as it is staged."
            )
        if any(e.kind == "error" for e in self.entries):
            said.append(
                "A kernel has failed; on CUDA the process could not use the device any more, "
                "here the error is told once."
            )
        if any(e.is_wait and e.name == "query" for e in self.entries):
            said.append(
                "A program that asks query() a hundred times is taken for a wait here; "
                "on CUDA it keeps the processor busy."
            )
        if any(e.kind == "wait" and sum(e.detail["pending"].values()) == 0 for e in self.entries):
            said.append(
                "Some waits had nothing left to wait for; on CUDA they cost some microseconds each all the same."
            )
        return said

    def _repr_html_(self) -> str:
        spans = self.spans()
        rows = ["host", *sorted({s.row for s in spans if s.row != "host"})]
        width, height = 900.0, 26
        longest = max((s.end for s in spans), default=1) or 1
        parts = []
        for span in spans:
            x, y = 170 + span.start / longest * width, rows.index(span.row) * height + 4
            long = max((span.end - span.start) / longest * width, 1.5)
            colour = WAIT if span.row == "host" else COLOURS.get(span.kind, "#4477aa")
            said = f"{span.name}, command {span.entry.number}: {(span.end - span.start) / 1e6:.3f} ms"
            held = len(span.entry.detail.get("opened", ()))
            tip = html.escape(said + f", opened the gates of {held} commands" * bool(held))
            parts.append(
                f'<rect x="{x:.1f}" y="{y}" width="{long:.1f}" height="{height - 8}" fill="{colour}">'
                f"<title>{tip}</title></rect>"
            )
        for name, gate in self.marks():
            x = 170 + (gate.time - self.entries[0].time) / longest * width
            line = f'x1="{x:.1f}" x2="{x:.1f}" y1="0" y2="{len(rows) * height}"'
            dash = ' stroke-dasharray="3 3"' if gate.closed else ""
            parts.append(f'<line {line} stroke="{GATE}"{dash}><title>{html.escape(name)}</title></line>')
        texts = [
            f'<text x="4" y="{i * height + 17}" font-size="12" fill="currentColor">{html.escape(r)}</text>'
            for i, r in enumerate(rows)
        ]
        remarks = "".join(f"<li>{html.escape(r)}</li>" for r in self.remarks())
        label = html.escape(f"Timeline of {len(spans)} commands and waits over {longest / 1e6:.2f} ms")
        size = f'viewBox="0 0 1080 {len(rows) * height}" width="100%"'
        svg = f'<svg role="img" aria-label="{label}" {size}>{"".join(texts + parts)}</svg>'
        return f"<figure>{svg}<figcaption>{label}.<ul>{remarks}</ul></figcaption></figure>"
