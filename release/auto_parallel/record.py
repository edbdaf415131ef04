"""Records what the two sides of MXNet do while a function runs, and shows it as text and as a picture."""

import json
import os
import tempfile

import mxnet as mx

ENQUEUE = ("MXImperativeInvokeEx", "MXInvokeCachedOpEx")
WAIT = ("MXNDArrayWaitAll", "MXNDArrayWaitToRead", "MXNDArraySyncCopyToCPU")
HOUSEKEEPING = ("DeleteVariable", "WaitForVar", "Resource")
LANES = ("front end", "compute", "copy")


class _Profile:
    """MXNet's profiler. It can be set up only once, and appends to one file, which lives as long as the program."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "profile.json")
        self.known = 0
        mx.profiler.set_config(profile_imperative=True, profile_api=True, filename=self.path)

    def new_entries(self):
        """What was added to the file since the last time."""
        mx.profiler.dump(finished=False)
        with open(self.path) as file:
            text = file.read()
        # The file is a list that MXNet has not closed yet.
        entries = json.loads(text + "]}")["traceEvents"]
        new, self.known = entries[self.known :], len(entries)
        return new


_profile = None


def record_run(function, *arguments):
    """Run function(*arguments) under MXNet's profiler until everything is computed; return the record.

    The record is a list of events, ordered by their start. An event is a dict:
    lane: "front end" (orders and waits of your program), "compute" or "copy" (work of the back end).
    name: "enqueue" or "wait" on the front end, the operator ("dot", ...) in compute, "copy" in copy.
    index: 0, 1, ... among the events of the same lane and name.
    start, end: seconds since the first event started.
    """
    global _profile
    _profile = _profile or _Profile()
    mx.nd.waitall()
    mx.profiler.set_state("run")
    try:
        # What it returns stays alive until the end: to throw arrays away is work, too.
        kept = function(*arguments)
        mx.nd.waitall()
    finally:
        mx.profiler.set_state("stop")
        entries = _profile.new_entries()
    del kept
    return _record(entries)


def _record(entries):
    begun, found = {}, []
    for entry in entries:
        phase, name = entry["ph"], entry["name"]
        lane, label = _lane(entry)
        if lane is None:
            continue
        thread = begun.setdefault((lane, name, entry["tid"]), [])
        if phase in "Bb":
            thread.append(entry["ts"])
        elif thread:
            found.append((thread.pop(), entry["ts"], lane, label))
    found.sort()
    # The last wait is the one of record_run itself.
    own = max((place for place, event in enumerate(found) if event[3] == "wait"), default=None)
    found = [event for place, event in enumerate(found) if place != own]
    first, count, record = found[0][0] if found else 0, {}, []
    for start, end, lane, name in found:
        index = count.get((lane, name), 0)
        count[lane, name] = index + 1
        start, end = (start - first) / 1e6, (end - first) / 1e6
        record.append({"lane": lane, "name": name, "index": index, "start": start, "end": end})
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


def rows_of(record):
    """The rows of a picture: (name, events) in which no two events overlap, at least one for each lane."""
    rows = []
    for lane in LANES:
        own = [[]]
        for event in sorted((event for event in record if event["lane"] == lane), key=lambda event: event["start"]):
            free = next((row for row in own if not row or row[-1]["end"] <= event["start"]), None)
            if free is None:
                own.append([event])
            else:
                free.append(event)
        rows += [(lane, row) for row in own]
    return rows


def label_of(event):
    """What stands on an event in a picture: its index; on the front end, e for enqueue and w for wait."""
    return event["name"][0] if event["lane"] == "front end" else str(event["index"])


def show_record(record, width=90):
    """Print the record: time goes from left to right, and every event fills its part of a row with its label."""
    end = max((event["end"] for event in record), default=0.0) or 1.0
    before = None
    for lane, events in rows_of(record):
        cells = [" "] * width
        for event in events:
            first = min(int(event["start"] / end * width), width - 1)
            last = max(first + 1, int(event["end"] / end * width))
            cells[first:last] = [label_of(event)[-1]] * (last - first)
        print(f"{lane if lane != before else '':10}|{''.join(cells)}|")
        before = lane
    print(f"{'':10}0{f'{end * 1000:.1f} ms':>{width}}")


def draw_record(record, title):
    """Draw the record: one row for each lane, more where several events run at one time."""
    import matplotlib.pyplot as plt

    rows = rows_of(record)
    colours = dict(zip(LANES, ("#9ecae1", "#fdae6b", "#c7e9c0")))
    _, axes = plt.subplots(figsize=(10, 0.8 + 0.45 * len(rows)))
    for number, (lane, events) in enumerate(rows):
        for event in events:
            start, length = event["start"] * 1000, (event["end"] - event["start"]) * 1000
            wait = event["name"] == "wait"
            axes.barh(
                -number,
                length,
                left=start,
                height=0.8,
                color="white" if wait else colours[lane],
                edgecolor="grey",
                linewidth=0.5,
                hatch="////" if wait else None,
            )
            if lane != "front end":
                axes.text(start + length / 2, -number, label_of(event), ha="center", va="center", fontsize=8)
    axes.set_yticks([-number for number in range(len(rows))], [lane for lane, _ in rows])
    axes.set_xlabel("milliseconds")
    axes.set_title(title, loc="left")
    axes.spines[["top", "right"]].set_visible(False)
    plt.show()
