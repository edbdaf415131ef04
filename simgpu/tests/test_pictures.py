"""Pictures of the log."""

import itertools
import json
import re
import sys
from dataclasses import replace

import pytest
import torch
from device import DEVICE, gpu, judge, on, ready
from simgpu.records import COMMAND_KINDS
from simgpu.timeline import LOOKS, SHOWN_AS, SIGNS, Timeline
from simgpu.words import WORDS

import simgpu


def recorded() -> Timeline:
    x = ready(4, value=1.0)
    judge.hold_until_waited_for()
    start = judge.state()
    side = gpu.Stream()
    with gpu.stream(side):
        y = x * 2
    gpu.current_stream().wait_stream(side)
    (y + 1).sum().item()
    torch.ones(3).pin_memory().to(DEVICE, non_blocking=True)
    on(1, 3).to("simgpu:0")
    judge.release()
    judge.settle()
    return Timeline(judge.log(start.log), judge.runs(start.runs))


def test_the_chrome_trace_has_a_thread_for_each_stream_and_the_waits_of_the_host(tmp_path):
    timeline = recorded()
    timeline.export_chrome_trace(tmp_path / "trace.json")
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    names = {e["args"]["name"] for e in events if e["name"] == "thread_name"}
    assert {"simgpu:0 default stream", "simgpu:1 default stream"} <= names
    spans = [e for e in events if e["ph"] == "X"]
    assert {"aten.mul.Tensor", "aten.add.Tensor", "h2d", "peer copy", "stream wait", "item"} <= {
        e["name"] for e in spans
    }
    assert all(e["dur"] >= 0 and e["ts"] >= 0 for e in spans)
    product = next(e for e in spans if e["name"] == "aten.mul.Tensor")
    total = next(e for e in spans if e["name"] == "aten.sum.default")
    wait = next(e for e in spans if e["name"] == "item" and e["pid"] == -1)
    assert product["ts"] + product["dur"] <= total["ts"]
    assert wait["ts"] + wait["dur"] >= total["ts"] + total["dur"]


def arrows(events: list[dict]) -> dict[str, list[set[tuple[str, str]]]]:
    """The arrows of a trace, by their names: for each one what may begin and end it.

    Two boxes of a thread may meet in one moment, where an arrow may belong to either.
    """

    def boxes(end: dict) -> set[str]:
        place = end["pid"], end["tid"]
        of_thread = [e for e in events if e["ph"] == "X" and (e["pid"], e["tid"]) == place]
        return {
            e["name"] for e in of_thread if min(abs(e["ts"] - end["ts"]), abs(e["ts"] + e["dur"] - end["ts"])) < 5e-4
        }

    found: dict[str, list[set[tuple[str, str]]]] = {}
    for start in (e for e in events if e["ph"] == "s"):
        (stop,) = (e for e in events if e["ph"] == "f" and e["id"] == start["id"])
        found.setdefault(start["name"], []).append(set(itertools.product(boxes(start), boxes(stop))))
    return found


def test_arrows_lead_from_launches_to_kernels_and_from_work_to_whoever_waits_for_it():
    timeline = recorded()
    found = arrows(timeline.trace()["traceEvents"])
    assert len(found["launch"]) == sum(span.row != "host" for span in timeline.spans())
    assert all(any(start == f"launch {stop}" for start, stop in ends) for ends in found["launch"])
    ordered = set().union(*found["order"])
    assert ("record", "stream wait") in ordered and ("item", "item") in ordered


def test_the_host_row_has_the_moment_of_each_launch_and_the_waits():
    timeline = recorded()
    host = timeline.rows()["host"]
    sent = [span.queued for span in timeline.spans() if span.row != "host"]
    assert sorted(span.start for span in host if span.kind == "enqueue") == sorted(sent)
    assert "item" in {span.name for span in host if span.kind == "wait"}
    assert f"{sent[0] / 1e6:.3f} to" in timeline.describe().split("host: ", 1)[1]


def test_a_console_shows_each_row_and_says_what_its_signs_mean():
    timeline = recorded()
    *rows, legend = str(timeline).splitlines()[: len(timeline.rows()) + 1]
    assert [row.split("|")[0].rstrip() for row in rows] == list(timeline.rows())
    for row, spans in zip(rows, timeline.rows().values(), strict=True):
        assert len(row) == len(rows[0]) and set(row.split("|")[1]) - {" "} <= {SIGNS[span.look] for span in spans}
    assert {SIGNS[name] for name in ("launch", "kernel")} <= set("".join(row.split("|")[1] for row in rows))
    assert all(f"{SIGNS[name]} {name}" in legend for name in ("launch", "kernel", "copy", "wait of the host"))
    assert len(set(SIGNS.values())) == len(SIGNS) and set(SIGNS) == set(LOOKS)


def test_a_mark_of_the_program_has_a_number_and_its_name_below():
    x = ready(4, value=1.0)
    since = simgpu.timeline()
    x * 2
    simgpu.mark("second epoch")
    x * 3
    gpu.synchronize()
    timeline = simgpu.timeline(since)
    (mark,) = timeline.marks()
    assert (mark.name, mark.kind) == ("second epoch", "mark")
    for shown in (str(timeline), timeline._repr_html_()):
        assert f"1: at {mark.time / 1e6:.3f} ms second epoch" in shown


def test_boxes_name_the_line_of_python_that_enqueued_them():
    x = ready(4, value=1.0)
    since = simgpu.timeline()
    x * 2
    line = sys._getframe().f_lineno - 1
    gpu.synchronize()
    timeline = simgpu.timeline(since)
    product = next(span.entry for span in timeline.spans() if span.name == "aten.mul.Tensor")
    assert timeline.place(product.number) == (product.number, line, __file__)
    assert f"aten.mul.Tensor in line {line} of test_pictures.py" in timeline.describe()
    traced = next(e for e in timeline.trace()["traceEvents"] if e["name"] == "aten.mul.Tensor")
    assert (traced["args"]["line"], traced["args"]["file"]) == (line, __file__)


def test_a_command_that_has_failed_is_named_with_its_line():
    table, index = ready(3), torch.tensor([7], device=DEVICE)
    since = simgpu.timeline()
    torch.index_select(table, 0, index)
    line = sys._getframe().f_lineno - 1
    with pytest.raises(simgpu.LateError):
        gpu.synchronize()
    remarks = simgpu.timeline(since).remarks()
    assert any(f"(aten.index_select.default in line {line} of test_pictures.py) has failed" in said for said in remarks)


def test_who_cannot_see_the_picture_is_told_each_row_and_each_box_in_its_order():
    timeline = recorded()
    page = timeline._repr_html_()
    assert "aten.mul.Tensor, command" in page
    (label,) = re.findall(r'<svg role="img" aria-label="([^"]*)"', page)
    assert label == timeline.describe()
    said = dict(part.split(": ", 1) for part in label.split(". ")[1:] if ": " in part)
    assert list(said) == list(timeline.rows())
    for row, spans in timeline.rows().items():
        place, last = 0, ""
        for span in spans:
            if span.name != last:  # consecutive ones of one name are counted
                place, last = said[row].index(span.name, place + 1 if place else 0), span.name
        assert f"from {spans[0].start / 1e6:.3f} to " in said[row]
        assert f" to {spans[-1].end / 1e6:.3f} ms" in said[row]


def test_no_kind_of_box_is_told_by_its_colour_alone():
    page = recorded()._repr_html_()
    legend = re.findall(r'fill="url\(#(\d-\w+)\)"[^>]*></rect><text[^>]*>([^<]+)</text>', page)
    assert {name for _, name in legend} >= {"launch", "kernel", "copy", "copy between devices", "order between streams"}
    lines = dict(re.findall(r'<pattern id="(\d-\w+)".*?/>(.*?)</pattern>', page))
    assert {pattern for pattern, _ in legend} == set(lines) and len(set(lines.values())) == len(lines)
    assert len({lines for _, lines in LOOKS.values()}) == len(LOOKS) and set(SHOWN_AS.values()) == set(LOOKS)
    assert set(SHOWN_AS) == COMMAND_KINDS | {"wait", "full", "enqueue"}


def test_gates_are_marks_in_the_picture_and_in_the_trace():
    x = ready(4, value=1.0)
    since = simgpu.timeline()
    x * 3  # before the gates, because the picture begins with it
    judge.settle()
    judge.hold_until_waited_for()
    (x + 1).sum().item()
    judge.release()
    torch.get_device_module(DEVICE).synchronize()
    timeline = simgpu.timeline(since)
    closed, opened = (mark.name for mark in timeline.marks())
    assert (closed, opened) == ("gate closed: everything until it is waited for", "gate opened: everything")
    assert timeline.describe().index(closed) < timeline.describe().index(opened)
    assert closed in timeline._repr_html_() and "gates opened: 3" in timeline._repr_html_()
    marks = [e["name"] for e in timeline.trace()["traceEvents"] if e["ph"] == "i"]
    assert marks == [closed, opened]


def test_who_has_not_the_judges_end_sees_no_gate():
    assert not [mark for mark in Timeline(judge.log(), judge.runs()).marks() if mark.kind == "gate"]


def test_the_picture_begins_with_the_first_thing_in_it():
    """Between memory and the first command the front end loads what it needs, which was most of a first picture."""
    gpu.synchronize()
    start = judge.state()
    x = torch.empty(4, device=DEVICE)
    x.zero_()
    gpu.synchronize()
    timeline = Timeline(judge.log(start.log), judge.runs(start.runs))
    assert timeline.entries[0].kind == "allocate"
    assert timeline.spans()[0].queued == 0


def test_an_empty_log_has_an_empty_picture():
    assert "Commands and waits in this timeline: 0, " in Timeline([], [])._repr_html_()


def test_a_sentence_where_cuda_would_have_behaved_differently():
    start = judge.state()
    torch.ones(3).to(DEVICE)
    timeline = Timeline(judge.log(start.log), judge.runs(start.runs))
    assert any("pageable" in sentence for sentence in timeline.remarks())


def test_the_student_gets_the_timeline_by_one_call():
    x = ready(3)
    since = simgpu.timeline()
    _y = (x * 2).sum().item()
    timeline = simgpu.timeline(since)
    assert [e.name for e in timeline.entries if e.kind == "launch"] == ["aten.mul.Tensor", "aten.sum.default"]


def test_the_picture_speaks_in_the_words_that_it_is_given():
    words = {name: re.sub(r"[A-Za-z]+(?![^{]*})", "ñ", text) for name, text in WORDS.items()}
    timeline = recorded()
    shown = replace(timeline, words=words)
    for said in (shown.describe(), re.sub(r"<[^>]*>", " ", shown._repr_html_())):
        left = set(re.findall("[A-Za-z]{2,}", said))  # names of operations and waits are PyTorch's
        assert left <= {part for span in timeline.spans() for part in re.findall("[A-Za-z]{2,}", span.name)}
    assert [span.row for span in shown.spans()] == [span.row for span in timeline.spans()]  # the record is unchanged


def test_words_that_lack_something_or_have_other_places_are_said_in_english():
    timeline = recorded()
    words = {"host": "{who}", "caption": "{count:x.y}", "row": "{row.boxes}", "of a kind": "{0}"}
    assert replace(timeline, words=words).describe() == timeline.describe()
