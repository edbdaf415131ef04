"""timeline.py, the file that students get: its record, and its display with and without pictures."""

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from classroom import ENGINE, ROOT
from elements import Elements

SOURCE = ROOT / "source" / "async"

# Runs in the engine's own environment: no syncpoint, no notebook.
PROGRAM = """
import contextlib, io, json, os

import mxnet as mx
from IPython.core.formatters import DisplayFormatter
from mxnet import nd

import timeline

host, first, second = mx.cpu(0), mx.cpu(1), mx.cpu(2)


def synchronous(x, steps):
    for _ in range(steps):
        y = x + 1
        y.wait_to_read()
    return y


def asynchronous(x, steps):
    for _ in range(steps):
        y = x + 1
    nd.waitall()
    return y


def both_devices(a, b):
    return nd.dot(a, a), nd.dot(b, b).copyto(host)


def fails(x):
    raise KeyError("my own mistake")


def printed(function, *arguments):
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        function(*arguments)
    return text.getvalue()


x = nd.ones((50, 50))
a, b = nd.ones((50, 50), ctx=first), nd.ones((50, 50), ctx=second)
found = {
    "synchronous": timeline.record_run(synchronous, x, 5),
    "asynchronous": timeline.record_run(asynchronous, x, 5),
    "both_devices": timeline.record_run(both_devices, a, b),
}
try:
    timeline.record_run(fails, x)
except KeyError:
    found["after_an_error"] = timeline.record_run(asynchronous, x, 2)
drawing = timeline.Timeline(found["both_devices"], "<both> devices")
found["rows"] = {name: boxes for name, boxes in drawing.rows() if name}
found["shown"] = DisplayFormatter().format(drawing)[0]
found["long"] = timeline.Timeline(found["asynchronous"] * 200, "long")._repr_html_()
event = {"lane": "front end", "device": "", "name": "enqueue", "index": 0}
found["cut"] = timeline.Timeline([{**event, "start": n / 1e3, "end": (n + 1) / 1e3} for n in range(1000)], "").footer()
# 300 orders at once, one wait, and a device that works for a millisecond on each and never rests.
busy = [{**event, "start": n / 1e5, "end": (n + 1) / 1e5} for n in range(300)]
busy += [{**event, "name": "wait", "start": 0.003, "end": 0.3}]
work = {**event, "lane": "compute", "device": "cpu(1)", "name": "dot"}
busy += [{**work, "start": n / 1e3, "end": (n + 1) / 1e3} for n in range(300)]
drawing = timeline.Timeline(busy, "busy")
found["busy"] = {"picture": drawing._repr_html_(), "text": repr(drawing)}
found["empty"] = timeline.Timeline([], "nothing")._repr_html_()
found["in_a_terminal"] = printed(timeline.show_timeline, asynchronous, x, 5)
os.environ["NBGRADER_EXECUTION"] = "autograde"
timeline.display = None  # must not be used while work is graded
found["while_graded"] = printed(timeline.show_timeline, asynchronous, x, 5)
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    """The result of the program above."""
    environment = {name: value for name, value in os.environ.items() if name != "NBGRADER_EXECUTION"}
    done = subprocess.run(
        [ENGINE / "bin" / "python", "-c", PROGRAM],
        env={**environment, "PYTHONPATH": str(SOURCE), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def _front_end(record: list[dict[str, Any]]) -> list[str]:
    return [event["name"] for event in record if event["lane"] == "front end"]


@pytest.mark.engine
def test_a_synchronous_loop_enqueues_and_waits_in_turn(found):
    assert _front_end(found["synchronous"]) == ["enqueue", "wait"] * 5


@pytest.mark.engine
def test_an_asynchronous_loop_waits_once_at_the_end(found):
    assert _front_end(found["asynchronous"]) == ["enqueue"] * 5 + ["wait"]


@pytest.mark.engine
def test_an_operation_runs_after_it_was_enqueued_and_before_its_wait_ends(found):
    orders = [event for event in found["synchronous"] if event["name"] == "enqueue"]
    waits = [event for event in found["synchronous"] if event["name"] == "wait"]
    work = [event for event in found["synchronous"] if event["lane"] == "compute"]
    assert len(work) == 5
    assert all(
        order["start"] <= done["start"] <= done["end"] <= wait["end"]
        for order, done, wait in zip(orders, work, waits, strict=True)
    )


@pytest.mark.engine
def test_work_is_recorded_on_its_device_and_copies_apart(found):
    work = {(event["device"], event["lane"], event["name"]) for event in found["both_devices"] if event["device"]}
    assert work == {("cpu(1)", "compute", "dot"), ("cpu(2)", "compute", "dot"), ("cpu(2)", "copy", "copy")}


@pytest.mark.engine
def test_a_mistake_of_the_function_reaches_its_caller_and_leaves_no_trace(found):
    assert _front_end(found["after_an_error"]) == ["enqueue", "enqueue", "wait"]


@pytest.mark.engine
def test_a_notebook_gets_a_picture_and_a_text(found):
    assert {"text/html", "text/plain"} <= found["shown"].keys()
    rows = ("front end", "cpu(1)", "cpu(2)", "cpu(2) copy")
    assert [
        (row, mime) for row in rows for mime in ("text/html", "text/plain") if row not in found["shown"][mime]
    ] == []


@pytest.mark.engine
@pytest.mark.parametrize("picture", ["both", "long", "empty"])
def test_a_picture_is_whole_and_runs_nothing(found, picture):
    elements = Elements(found["shown"]["text/html"] if picture == "both" else found[picture])
    assert elements.open == 0
    assert set(elements.tags) <= {"svg", "defs", "pattern", "g", "title", "rect", "text", "path"}


@pytest.mark.engine
def test_a_long_record_is_cut_and_says_so(found):
    assert found["long"].count("<g>") == 400
    assert f">the first 400 of {200 * len(found['asynchronous'])} events: " in found["long"]


@pytest.mark.engine
def test_a_cut_record_tells_the_time_of_what_is_drawn_and_of_the_whole(found):
    assert found["cut"] == "the first 400 of 1000 events: 400.00 of 1000.00 ms"


@pytest.mark.engine
def test_a_cut_record_shows_no_idle_device_that_was_busy(found):
    *_, orders, work, footer = found["busy"]["text"].splitlines()
    assert re.fullmatch(r"front end +\|[ew]{71}w\|", orders)
    assert re.fullmatch(r"cpu\(1\) +\|#{72}\|", work)
    assert footer.strip() == "the first 400 of 601 events: 99.00 of 300.00 ms"


@pytest.mark.engine
def test_the_boxes_of_a_cut_record_end_with_the_picture_and_tell_the_whole_time(found):
    boxes = re.findall(r'<rect x="([\d.]+)" y="(\d+)" width="([\d.]+)" height="20"', found["busy"]["picture"])
    ends = {row: max(float(x) + float(width) for x, y, width in boxes if y == row) for row in ("30", "54")}
    assert ends == {"30": 736.0, "54": pytest.approx(736.0, abs=0.11)}
    assert "<title>wait 0 : 297.000 ms</title>" in found["busy"]["picture"]


@pytest.mark.engine
def test_two_pictures_on_one_page_share_no_id(found):
    pictures = (found["long"], found["empty"])
    names = [re.findall(r'id="([^"]*)"', picture) for picture in pictures]
    assert [len(some) for some in names] == [2, 2] and not set(names[0]) & set(names[1])
    assert [set(re.findall(r"url\(#([^)]*)\)", picture)) for picture in pictures] == [set(some) for some in names]


def _label(picture: str) -> str:
    (label,) = Elements(picture).labels
    assert label
    return label


@pytest.mark.engine
def test_who_cannot_see_the_picture_is_told_each_row_and_each_box_in_its_order(found):
    label = _label(found["shown"]["text/html"])
    assert label.startswith("<both> devices. front end: ") and label.endswith(" ms")
    for row, boxes in found["rows"].items():
        (output,) = (part for part in label.split(". ") if part.startswith(f"{row}: "))
        place = 0
        for event in boxes:  # one after the other, alone or counted with those beside it
            place = output.index(event["name"], place)
        start, end = 1000 * boxes[0]["start"], 1000 * boxes[-1]["end"]
        assert f"from {start:.3f} to " in output and f" to {end:.3f} ms" in output


@pytest.mark.engine
def test_equal_boxes_that_follow_each_other_are_counted(found):
    label = _label(found["busy"]["picture"])
    assert "300 times enqueue, 0 to 0, from 0.000 to 3.000 ms, together 3.000 ms; wait 0 from 3.000 to 300" in label
    assert "cpu(1): 99 times dot, 0 to 0, from 0.000 to 99.000 ms, together 99.000 ms" in label
    assert label.endswith(". the first 400 of 601 events: 99.00 of 300.00 ms")


@pytest.mark.engine
def test_no_kind_of_box_is_told_by_its_colour_alone(found):
    picture = found["shown"]["text/html"]
    patterns = dict(re.findall(r'<pattern id="(\w+)-[^"]*".*?<path d="([^"]*)"', picture))
    assert set(patterns) == {"copy", "wait"} and len(set(patterns.values())) == 2
    legend = re.findall(r'height="10" fill="([^"]*)"[^>]*/><text[^>]*>(\w+)</text>', picture)
    assert {name for _, name in legend} == {"enqueue", "compute", "copy", "wait"}
    filled = {name for fill, name in legend if "url" not in fill}
    kinds = [{"enqueue" if box["lane"] == "front end" else box["lane"] for box in boxes if box["name"] != "wait"}
             for boxes in found["rows"].values()]  # fmt: skip
    assert all(len(kind & filled) <= 1 for kind in kinds)  # such a box is told from others by its row


@pytest.mark.engine
@pytest.mark.parametrize("where", ["in_a_terminal", "while_graded"])
def test_where_no_picture_can_be_shown_there_is_text(found, where):
    assert "<" not in found[where]
    lines = found[where].splitlines()
    assert [line.split("|")[0].strip() for line in lines[1:3]] == ["front end", "cpu(0)"]
    assert {"w"} <= set(lines[1].split("|")[1]) <= {"e", "w", " "}
    assert set(lines[2].split("|")[1]) == {"#", " "} or set(lines[2].split("|")[1]) == {"#"}


def test_every_assignment_has_the_same_file():
    copies = list((ROOT / "source").glob("*/timeline.py"))
    assert {path.parent.name for path in copies} >= {"async", "auto_parallel", "multi_gpu"}
    assert {path.read_bytes() for path in copies} == {(SOURCE / "timeline.py").read_bytes()}


@pytest.mark.parametrize(
    "released", sorted((ROOT / "release").glob("*/timeline.py")), ids=lambda path: path.parent.name
)
def test_students_get_a_file_and_not_a_link(released: Path):
    assert not released.is_symlink()
