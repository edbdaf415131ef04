"""Races are found in the log, and shown by the judge's gates."""

import os
import random

import pytest
import torch
from device import DEVICE, gpu, judge, ready, wait_everywhere
from race_programs import conflicts, expected, racy, run, showing, sound
from simgpu.front.link import link
from simgpu.front.waits import explicit_wait
from simgpu.records import Entry

import simgpu
from simgpu import races

PROGRAMS = int(os.environ.get("SIMGPU_RACE_PROGRAMS", "6"))
"""Of each kind; `make simgpu-races` draws more."""
SEED = os.environ.get("SIMGPU_RACE_SEED") or str(random.SystemRandom().randrange(1 << 32))


@pytest.mark.parametrize("number", range(PROGRAMS))
def test_sound_programs_have_no_race_and_the_values_of_their_order(number: int):
    program = sound(random.Random(f"{SEED} sound {number}"))
    assert conflicts(program) == []
    outs, entries = run(program)
    assert [str(r) for r in races.find(entries)] == [], SEED
    assert [o[0].item() for o in outs] == expected(program), SEED


@pytest.mark.parametrize("number", range(PROGRAMS))
def test_racy_programs_are_found_and_show_wrong_values_when_the_judge_holds_the_stream(number: int):
    program = racy(random.Random(f"{SEED} racy {number}"))
    first, _ = showing(program)
    outs, entries = run(program, hold=first)
    assert races.find(entries), SEED
    got = [o[0].item() for o in outs]
    assert got != expected(program), (SEED, program)


def test_a_race_names_both_commands_and_says_what_to_do():
    x, side = ready(4, value=3.0), gpu.Stream()
    start = judge.state().log
    with gpu.stream(side):
        y = x * 2
    _z = y + 1
    wait_everywhere()
    (race,) = races.find(judge.log(start))
    assert (race.kind, race.first_stream, race.second_stream, race.name) == (
        "access",
        side.stream_id,
        0,
        "aten.add.Tensor",
    )
    assert "wait_stream" in str(race)


@pytest.mark.parametrize(("missing", "found"), [(None, 1), (2, 1), (1, 1), (0, 0)])
def test_a_wait_orders_what_it_waits_for_and_no_more(missing: int | None, found: int):
    """It is asked for by its number of the last command, which may leave out as many as it likes, or all."""
    x, side = ready(4, value=3.0), gpu.Stream()
    start = judge.state().log
    with gpu.stream(side):
        x * 1
        y = x * 2
    explicit_wait("synchronize", stream=side.stream_id, upto=0 if missing is None else link().number - missing)
    _z = y + 1
    wait_everywhere()
    assert len(races.find(judge.log(start))) == found


def test_a_wait_whose_answer_nobody_has_read_orders_nothing():
    entries = [
        Entry("launch", 1, 1, "write", (), (7,), {}),
        Entry("wait", 1, 0, "synchronize", (), (), {"wait": 5, "targets": {"1": 1}}),
        Entry("launch", 2, 0, "read", (7,), (), {}),
    ]
    heard = Entry("acknowledged", 1, 0, "", (), (), {"waits": [5]})
    assert len(races.find(entries)) == 1 and not races.find([*entries[:2], heard, entries[2]])


@pytest.mark.parametrize("waits", [True, False])
def test_memory_of_one_stream_that_another_one_fills_is_a_race_unless_it_waits(waits: bool):
    x, side = ready(4, value=3.0), gpu.Stream()
    start = judge.state().log
    y = x * 2
    del y
    again = torch.empty(4, device=DEVICE)
    if waits:
        side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        again.fill_(1)
    wait_everywhere()
    assert [r.kind for r in races.find(judge.log(start))] == ([] if waits else ["reuse"])


@pytest.mark.parametrize(
    ("kind", "name", "said"),
    [
        ("access", "aten.add.Tensor", "{number} {operation} {stream} {other} {other_stream}"),
        ("reuse", "aten.add.Tensor", "again {number} {operation} {stream} {other} {other_stream}"),
        ("reuse", "", "again {number} memory {stream} {other} {other_stream}"),
    ],
)
def test_a_race_is_told_in_the_words_that_are_handed_over(kind: str, name: str, said: str):
    places = "{number} {operation} {stream} {other} {other_stream}"
    words = {"race": places, "race for memory": f"again {places}", "an allocation": "memory"}
    race = races.Race(kind, 7, first=1, second=2, first_stream=3, second_stream=4, name=name)
    assert race.describe(words) == said.format(number=2, operation=name, stream=4, other=1, other_stream=3)
    assert str(race) == race.describe({"race": "{who}", "race for memory": "{who}"})  # other placeholders: in English


@pytest.mark.parametrize("cure", ["nothing", "record_stream", "wait"])
def test_memory_that_is_used_again_too_early_is_a_race(cure: str):
    x, side = ready(4, value=3.0), gpu.Stream()
    x = x + 0
    gpu.synchronize()
    start = judge.state().log
    x = torch.ones(4, device=DEVICE)
    side.wait_stream(gpu.current_stream())
    judge.hold(stream=side.stream_id)
    with gpu.stream(side):
        _y = x * 2
    if cure == "record_stream":
        x.record_stream(side)
    if cure == "wait":
        gpu.current_stream().wait_stream(side)
    del x
    _other = torch.zeros(4, device=DEVICE)
    judge.release()
    wait_everywhere()
    assert [r.kind for r in races.find(judge.log(start))] == (["reuse"] if cure == "nothing" else [])


@pytest.mark.parametrize(("wait", "buffers", "found"), [(False, 1, 2), (True, 1, 0), (False, 3, 0)])
def test_the_host_writes_to_pinned_memory_under_a_copy(wait: bool, buffers: int, found: int):
    gpu.synchronize()
    pinned = [torch.empty(4).pin_memory() for _ in range(buffers)]
    since = simgpu.timeline()
    for n in range(3):
        sent = pinned[n % buffers].fill_(n).to(DEVICE, non_blocking=True)
        if wait:
            event = gpu.Event()
            event.record()
            event.synchronize()
    timeline = simgpu.timeline(since)
    told = [race for race in races.find(timeline.entries) if race.kind == "host"]
    assert len(told) == found and tuple(sent.shape) == (4,)
    assert all("the host writes to pinned memory before command" in str(race) for race in told)


@pytest.mark.parametrize(("polled", "found"), [("event", []), ("stream", []), ("an older event", ["host"])])
def test_the_host_may_write_to_pinned_memory_once_a_query_was_true(polled: str, found: list[str]):
    gpu.synchronize()
    older, event, pinned = gpu.Event(), gpu.Event(), torch.empty(4).pin_memory()
    since = simgpu.timeline()
    older.record()
    _first = pinned.fill_(1).to(DEVICE, non_blocking=True)
    event.record()
    asked = {"event": event, "stream": gpu.current_stream(), "an older event": older}[polled]
    while not asked.query():
        pass
    _second = pinned.fill_(2).to(DEVICE, non_blocking=True)
    assert [race.kind for race in races.find(simgpu.timeline(since).entries)] == found


def test_a_stream_that_the_host_has_polled_is_ordered_before_what_follows():
    x, side, event = ready(4, value=3.0), gpu.Stream(), gpu.Event()
    start = judge.state().log
    x.add_(1)
    event.record()
    while not event.query():
        pass
    with gpu.stream(side):
        y = x * 2
    wait_everywhere()
    assert races.find(judge.log(start)) == [] and y.tolist() == [8.0] * 4


def test_halves_of_one_pinned_buffer_in_turn_are_no_race():
    pinned = torch.empty(8).pin_memory()
    since = simgpu.timeline()
    events = [gpu.Event(), gpu.Event()]
    for n in range(4):
        events[n % 2].synchronize()
        half = pinned[4 * (n % 2) : 4 * (n % 2) + 4].fill_(n)
        half.to(DEVICE, non_blocking=True)
        events[n % 2].record()
    assert not [race for race in races.find(simgpu.timeline(since).entries) if race.kind == "host"]


def test_a_full_launch_queue_orders_nothing():
    x, side = ready(4, value=3.0), gpu.Stream()
    start = judge.state().log
    y = x.clone()
    for _ in range(1100):
        x.add_(1)
    with gpu.stream(side):
        _z = y * 2
    wait_everywhere()
    (race,) = races.find(judge.log(start))
    assert race.second_stream == side.stream_id
