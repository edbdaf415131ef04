"""Draws what the two sides of MXNet do while a function runs: ``show_timeline(function, *arguments)``.

You need not read this file. It uses only MXNet's own profiler: copy it to where you need it.
"""

import functools
import itertools
import json
import os
import tempfile
import uuid
from html import escape

import mxnet as mx

try:
    from IPython.display import display
except ImportError:  # plain Python: no pictures
    display = print

ENQUEUE = (
    "MXImperativeInvokeEx MXInvokeCachedOp MXAutogradBackwardEx MXNetFuncCall MXKVStorePushEx "
    "MXKVStorePullWithSparseEx MXKVStorePushPullEx MXKVStoreBroadcastEx"
).split()
WAIT = "MXNDArrayWaitAll MXNDArrayWaitToRead MXNDArrayWaitToWrite MXNDArraySyncCopyToCPU MXNDArraySave".split()
HOUSEKEEPING = ("DeleteVariable", "WaitForVar", "Resource")
MOST_DRAWN = 400  # events; the picture ends where the next one starts


def show_timeline(function, *arguments, title=None):
    """Run function(*arguments) until everything is computed, and draw what happened: in a notebook as a picture.

    Where no picture can be shown (in a terminal, and while your work is graded) it is printed as text.
    """
    draw_record(record_run(function, *arguments), title or getattr(function, "__name__", "timeline"))


def draw_record(record, title):
    """Draw a record of record_run in the same way."""
    drawing = Timeline(record, title)
    if "NBGRADER_EXECUTION" in os.environ:
        print(drawing)
    else:
        display(drawing)


def record_run(function, *arguments):
    """Run function(*arguments) under MXNet's profiler until everything is computed; return the record.

    The record is a list of events, ordered by their start. An event is a dict:
    lane: "front end" (what your program enqueues, and its waits), "compute" or "copy" (work of the back end).
    device: where the back end did it, for example "cpu(1)"; "" on the front end.
    name: "enqueue" or "wait" on the front end, the operator ("dot", ...) in compute, "copy" in copy.
    index: 0, 1, ... among the events of the same lane and name.
    start, end: seconds since the first event started.
    """
    profile = _Profile.get()
    mx.nd.waitall()
    mx.profiler.set_state("run")
    try:
        # What it returns stays alive until the end: freeing arrays is also work.
        kept = function(*arguments)
        mx.nd.waitall()
    finally:
        mx.profiler.set_state("stop")
        entries = profile.new_entries()
    del kept
    return _record(entries, profile.devices)


class _Profile:
    """MXNet's profiler. It can be set up only once, and appends to one file, which lives as long as the program."""

    _only = None

    @classmethod
    def get(cls):
        cls._only = cls._only or cls()
        return cls._only

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "profile.json")
        self.known = 0
        self.devices = {}  # names as the profiler writes them: "gpu/0"
        mx.profiler.set_config(profile_imperative=True, profile_api=True, filename=self.path)

    def new_entries(self):
        """What was added to the file since the last time."""
        mx.profiler.dump(finished=False)
        with open(self.path) as file:
            text = file.read()
        # The file is a list that MXNet has not closed yet.
        entries = json.loads(text + "]}")["traceEvents"]
        new, self.known = entries[self.known :], len(entries)
        self.devices.update({entry["pid"]: entry["args"]["name"] for entry in new if entry["ph"] == "M"})
        return new


def _record(entries, devices):
    begun, found = {}, []
    for entry in entries:
        phase, name = entry["ph"], entry["name"]
        lane, label = _lane(entry)
        if lane is None:
            continue
        thread = begun.setdefault((lane, name, entry["pid"], entry["tid"]), [])
        if phase in "Bb":
            thread.append(entry["ts"])
        elif thread:
            device = "" if lane == "front end" else _device(entry["pid"], devices)
            found.append((thread.pop(), entry["ts"], lane, label, device))
    found.sort()
    # The last wait is the one of record_run itself.
    own = max((place for place, event in enumerate(found) if event[3] == "wait"), default=None)
    found = [event for place, event in enumerate(found) if place != own]
    first, count, record = found[0][0] if found else 0, {}, []
    for start, end, lane, name, device in found:
        index = count.get((lane, name), 0)
        count[lane, name] = index + 1
        start, end = (start - first) / 1e6, (end - first) / 1e6
        record.append({"lane": lane, "device": device, "name": name, "index": index, "start": start, "end": end})
    return record


def _lane(entry):
    """The lane and the name of an entry of the profile, or None and None if we do not want it."""
    phase, category, name = entry["ph"], entry.get("cat"), entry["name"]
    # MXNet writes each operator twice: as B ... E with its thread, and as b ... e.
    if category == "operator" and phase in "BE" and not name.startswith(HOUSEKEEPING):
        return ("copy", "copy") if name.startswith("Copy") else ("compute", name)
    if category == "MXNET_C_API" and phase in "be" and name in ENQUEUE:
        return "front end", "enqueue"
    if category == "MXNET_C_API" and phase in "be" and name in WAIT:
        return "front end", "wait"
    return None, None


def _device(number, names):
    """The device with this number in the profile: CPU contexts come first, and only GPUs are sure to have a name."""
    kind, _, place = names.get(number, "").partition("/")
    return f"gpu({place})" if kind == "gpu" else f"cpu({number})"


class Timeline:
    """A record as rows of boxes: the front end, then each device with its computing and its copies.

    A notebook shows it as a picture, everything else as text. Color alone marks no kind of box: waits and
    copies have a pattern, and computing and enqueueing never share a row.
    """

    COLORS = {"enqueue": "#7fb8e6", "compute": "#f5b26b"}
    LEFT, WIDTH, ROW, TOP = 96, 640, 24, 30  # pixels

    def __init__(self, record, title):
        self.title = title
        ordered = sorted(record, key=lambda event: event["start"])
        self.events, left_out = ordered[:MOST_DRAWN], ordered[MOST_DRAWN:]
        self.count = len(record)
        self.whole = _duration(record)
        # Beyond the first event that is left out, a device would look idle while it was busy.
        self.seconds = (left_out[0]["start"] if left_out else self.whole) or 1e-6

    def rows(self):
        """Pairs (name, events): one for each lane of each device, more where several events run at one time."""
        lanes = {("", "front end"): []}
        for event in sorted(self.events, key=lambda event: (event["device"], event["lane"] == "copy", event["start"])):
            lanes.setdefault((event["device"], event["lane"]), []).append(event)
        for (device, lane), events in lanes.items():
            name = f"{device} {'copy' if lane == 'copy' else ''}".strip() or lane
            for number, row in enumerate(_side_by_side(events)):
                yield "" if number else name, row

    def footer(self):
        """How long it took, and what is not drawn."""
        if self.count > len(self.events):
            drawn = f"{self.count}个事件中的前{len(self.events)}个"
            return f"{drawn}：{self.whole * 1000:.2f} ms中的{self.seconds * 1000:.2f} ms"
        return f"{self.seconds * 1000:.2f} ms"

    def __repr__(self):
        width = 72
        lines = [f"{self.title}   （e：入队，w：等待，#：计算，=：复制；时间从左到右）"]
        for name, events in self.rows():
            cells = [" "] * width
            # The longest first: a short event stays visible on top of it; and nothing covers a wait.
            for event in sorted(events, key=lambda event: (event["name"] == "wait", event["start"] - event["end"])):
                start, end = self._place(event)
                first = min(int(start * width), width - 1)
                last = max(first + 1, int(end * width))
                letter = {"compute": "#", "copy": "="}.get(event["lane"], event["name"][0])
                cells[first:last] = [letter] * (last - first)
            lines.append(f"{name:12}|{''.join(cells)}|")
        return "\n".join([*lines, f"{'':12} {self.footer():>{width}}"])

    def describe(self):
        """The picture in words: each row with its boxes in their order; equal ones in a row are counted."""
        said, name = [], ""
        for row, events in self.rows():
            name = row or name  # a row without a name goes on with the one above it
            runs = [list(run) for _, run in itertools.groupby(events, key=lambda event: event["name"])]
            said.append(_row(name, functools.reduce(_next_box, map(_in_words, runs)) if runs else "\u2013"))
        return functools.reduce(_next_row, [self.title, *said, self.footer()])

    def _repr_html_(self):
        rows = list(self.rows())
        height = self.TOP + self.ROW * len(rows) + 40
        width = self.LEFT + self.WIDTH + 8
        own = uuid.uuid4().hex  # a page may hold several pictures
        fills = {**self.COLORS, **{kind: f"url(#{kind}-{own})" for kind in PATTERNS}}
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
            f'aria-label="{escape(self.describe())}" fill="currentColor" '
            f'style="width:100%;max-width:{width}px;font:12px sans-serif">',
            *(_PATTERN.format(name=f"{kind}-{own}", lines=lines) for kind, lines in PATTERNS.items()),
            f'<text x="0" y="16" font-weight="bold">{escape(self.title)}</text>',
        ]
        for number, (name, events) in enumerate(rows):
            top = self.TOP + number * self.ROW
            parts.append(f'<text x="0" y="{top + 15}">{escape(name)}</text>')
            parts += [self._box(event, top, fills) for event in events]
        bottom = self.TOP + len(rows) * self.ROW + 4
        right = self.LEFT + self.WIDTH
        parts.append(f'<path d="M{self.LEFT} {bottom}H{right}" stroke="currentColor"/>')
        parts.append(f'<text x="{right}" y="{bottom + 16}" text-anchor="end">{escape(self.footer())}</text>')
        place = self.LEFT
        for name, fill in fills.items():
            parts.append(f'<rect x="{place}" y="{bottom + 7}" width="12" height="10" fill="{fill}" stroke="#888"/>')
            parts.append(f'<text x="{place + 16}" y="{bottom + 16}">{name}</text>')
            place += 80
        return "".join([*parts, "</svg>"])

    def _place(self, event):
        """Where the event starts and ends on the time that is drawn, from 0 to 1."""
        return event["start"] / self.seconds, min(event["end"] / self.seconds, 1.0)

    def _box(self, event, top, fills):
        start, end = self._place(event)
        left = self.LEFT + start * self.WIDTH
        width = max(1.5, (end - start) * self.WIDTH)
        kind = event["name"] if event["lane"] == "front end" else event["lane"]
        note = f"{event['name']} {event['index']} {event['device']}: {1000 * (event['end'] - event['start']):.3f} ms"
        front = event["lane"] == "front end"
        labels = [event["name"]] if front else [f"{event['name']} {event['index']}", str(event["index"])]
        label = next((label for label in labels if 7 * len(label) + 4 <= width), "")
        text = (
            f'<text x="{left + width / 2:.1f}" y="{top + 15}" text-anchor="middle" fill="#222" '
            f'stroke="#fff" stroke-width="2" paint-order="stroke">{escape(label)}</text>'
        )
        return (
            f'<g><title>{escape(note)}</title><rect x="{left:.1f}" y="{top}" width="{width:.1f}" height="20" '
            f'fill="{fills[kind]}" stroke="#888" stroke-width="0.5"/>{text if label else ""}</g>'
        )


# What crosses the boxes of a kind, for readers who see no colors.
PATTERNS = {
    "copy": '<rect width="6" height="6" fill="#9bd39b"/><path d="M0 3H6" stroke="#4d874d"/>',
    "wait": '<rect width="6" height="6" fill="#fff"/><path d="M-1 7L7 -1" stroke="#c65f5f" stroke-width="2"/>',
}
_PATTERN = '<defs><pattern id="{name}" width="6" height="6" patternUnits="userSpaceOnUse">{lines}</pattern></defs>'


# Templates, because each language has its own punctuation.
def _row(name, boxes):
    return f"{name}：{boxes}"


def _next_box(boxes, box):
    return f"{boxes}；{box}"


def _next_row(rows, row):
    return f"{rows}。{row}"


def _in_words(events):
    """Events of one name that follow each other in a row."""
    name, first, last, count = events[0]["name"], events[0]["index"], events[-1]["index"], len(events)
    start, end = 1000 * events[0]["start"], 1000 * events[-1]["end"]
    if count == 1:
        return f"{name} {first}从{start:.3f}到{end:.3f} ms"
    whole = 1000 * sum(event["end"] - event["start"] for event in events)
    return f"{count}次{name}，{first}到{last}，从{start:.3f}到{end:.3f} ms，合计{whole:.3f} ms"


def _duration(events):
    return max((event["end"] for event in events), default=0.0)


def _side_by_side(events):
    """Rows in which no two events overlap; at least one."""
    rows = [[]]
    for event in events:
        free = next((row for row in rows if not row or row[-1]["end"] <= event["start"]), None)
        if free is None:
            rows.append([event])
        else:
            free.append(event)
    return rows
