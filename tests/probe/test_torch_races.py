"""Races in the log of the engine `torch`: found by the required order, never by what ran first."""

import time
from typing import Any

import numpy as np
import pytest
from toy_gpu import student

from syncpoint.engines.torch.races import Race, Races, are_possible
from syncpoint.graders import array
from syncpoint.judge.kernel import Kernel

X = np.arange(9, dtype="float32").reshape(3, 3)
WRITE = ("launch", 1, 0, "write", (), (7,), {"new": [(7, 512, 512)]})  # storage 7, in the default stream
ACKNOWLEDGED = ("acknowledged", 1, 0, "", (), (), {"waits": [5]})
READ_BESIDE = ("launch", 9, 1, "read", (7,), (8,), {"new": [(8, 4096, 512)]})


def races(*entries: tuple[Any, ...]) -> list[Race]:
    """Of a log of these entries."""
    reader = Races()
    return [race for entry in entries for race in reader.read(*entry)]


def test_a_log_in_which_one_stream_uses_memory_can_have_no_race():
    event = ("record", 2, 1, "record", (), (), {})
    freed, again = ("free", 3, 0, "", (), (7,), {}), ("launch", 4, 0, "write", (), (8,), {"new": [(8, 512, 512)]})
    assert not are_possible([(*entry, 0) for entry in (WRITE, event, freed, again)])
    assert races(WRITE, event, freed, again) == []


@pytest.mark.parametrize(
    "other",
    [
        READ_BESIDE,
        ("launch", 9, 1, "write", (), (7,), {}),
        ("launch", 9, 1, "makes", (), (), {"new": [(8, 512, 512)]}),
        ("allocate", 9, 1, "", (), (), {"new": [(8, 512, 512)]}),
    ],
    ids=["reads", "writes", "makes", "allocates"],
)
def test_with_a_second_stream_that_uses_memory_it_can_have_some(other: tuple[Any, ...]):
    freed = ("free", 3, 0, "", (), (7,), {})
    log = [WRITE, freed, other] if other[6].get("new") and not other[4] else [WRITE, other]
    assert are_possible([(*entry, 0) for entry in log])
    assert races(*log)


# --- which entries order two streams ------------------------------------------------------------------------------


def test_a_read_concurrent_with_a_write_is_a_race_and_names_the_first():
    assert races(WRITE, READ_BESIDE) == [Race(7, False, "write", 1)]


def test_a_write_concurrent_with_a_read_is_a_race_and_two_reads_are_not():
    read = ("launch", 2, 1, "read", (7,), (), {})
    assert races(read, ("launch", 3, 2, "also read", (7,), (), {})) == []
    assert races(read, ("launch", 3, 2, "write", (), (7,), {})) == [Race(7, False, "read", 2)]


@pytest.mark.parametrize(
    ("between", "ordered"),
    [
        ([("record", 2, 0, "record", (), (), {}), ("stream wait", 3, 1, "wait", (), (), {"ticket": 2})], True),
        ([("record", 2, 0, "record", (), (), {}), ("stream wait", 3, 2, "wait", (), (), {"ticket": 2})], False),
        ([("record", 2, 2, "record", (), (), {}), ("stream wait", 3, 1, "wait", (), (), {"ticket": 2})], False),
        ([("wait", 1, 0, "", (), (), {"wait": 5, "targets": {"0": 1}}), ACKNOWLEDGED], True),
        ([("wait", 1, 0, "", (), (), {"wait": 5, "targets": {"0": 0, "1": 1}}), ACKNOWLEDGED], False),
        ([("reached", 1, 0, "query", (), (), {"wait": 5, "targets": {"0": 1}}), ACKNOWLEDGED], True),
        ([("wait", 1, 0, "", (), (), {"wait": 5, "targets": {"0": 1}})], False),
        ([("record stream", 1, 1, "", (), (7,), {})], False),
    ],
    ids=[
        "event",
        "event of another stream",
        "event too far",
        "host",
        "host for something else",
        "query",
        "host has heard nothing",
        "record_stream",
    ],
)
def test_streams_and_the_host_order_what_they_wait_for(between: list[tuple[Any, ...]], ordered: bool):
    assert (races(WRITE, *between, READ_BESIDE) == []) is ordered


def test_an_event_before_the_write_orders_nothing():
    record = ("record", 1, 0, "record", (), (), {})
    write = ("launch", 2, 0, "write", (), (7,), {})
    assert len(races(record, write, ("stream wait", 3, 1, "wait", (), (), {"ticket": 1}), READ_BESIDE)) == 1


def test_order_goes_through_other_streams():
    there = [("record", 2, 0, "", (), (), {}), ("stream wait", 3, 2, "", (), (), {"ticket": 2})]
    back = [("record", 4, 2, "", (), (), {}), ("stream wait", 5, 1, "", (), (), {"ticket": 4})]
    assert races(WRITE, *there, *back, READ_BESIDE) == []


# --- memory that is allocated again -------------------------------------------------------------------------------

READ = [("record", 2, 0, "", (), (), {}), ("stream wait", 3, 1, "", (), (), {"ticket": 2}), READ_BESIDE]
FREE = ("free", 9, 0, "", (), (7,), {})
AGAIN = ("launch", 10, 0, "again", (), (11,), {"new": [(11, 512, 512)]})
RECORDED = ("record stream", 9, 1, "", (), (7,), {})


def test_memory_given_out_again_under_another_stream_is_a_race():
    assert races(WRITE, *READ, FREE, AGAIN) == [Race(7, True, "read", 9)]


@pytest.mark.parametrize("place", [1, -1], ids=["before the use", "behind it"])
def test_record_stream_protects_it(place: int):
    before = [WRITE, *READ]
    before.insert(len(before) if place < 0 else place, RECORDED)
    assert races(*before, FREE, AGAIN) == []


def test_so_does_a_wait_of_the_stream_that_gets_it():
    joined = [("record", 9, 1, "", (), (), {}), ("stream wait", 9, 0, "", (), (), {"ticket": 9})]
    assert races(WRITE, *READ, *joined, FREE, AGAIN) == []


def test_other_memory_is_another_matter():
    other_place = ("launch", 10, 0, "again", (), (11,), {"new": [(11, 8192, 512)]})
    assert races(WRITE, *READ, FREE, other_place) == []


def test_a_part_of_it_is_enough_and_what_was_given_out_is_no_longer_free():
    half = ("launch", 10, 0, "again", (), (11,), {"new": [(11, 768, 256)]})
    assert races(WRITE, *READ, FREE, half, AGAIN) == [Race(7, True, "read", 9)]
    before = ("launch", 10, 0, "again", (), (11,), {"new": [(11, 0, 512)]})
    assert races(WRITE, *READ, FREE, before) == []


MADE = ("allocate", 9, 0, "", (), (), {"new": [(11, 512, 512)]})
FILLED_BESIDE = ("launch", 12, 1, "fill", (), (11,), {})


def test_another_stream_that_fills_such_memory_waits_for_its_earlier_uses():
    joined = [("record", 10, 0, "", (), (), {}), ("stream wait", 11, 1, "", (), (), {"ticket": 10})]
    assert races(WRITE, FREE, MADE, FILLED_BESIDE) == [Race(7, True, "write", 1)]
    assert races(WRITE, FREE, MADE, *joined, FILLED_BESIDE) == []


def test_what_was_made_and_never_used_hides_nothing():
    unused = [("free", 9, 0, "", (), (11,), {}), ("allocate", 9, 0, "", (), (), {"new": [(12, 512, 512)]})]
    assert races(WRITE, FREE, MADE, *unused, ("launch", 12, 1, "fill", (), (12,), {})) == [Race(7, True, "write", 1)]


def test_the_first_to_write_has_waited_for_all():
    first = ("launch", 10, 0, "zero", (), (11,), {})
    assert races(WRITE, FREE, MADE, first, FILLED_BESIDE) == [Race(11, False, "zero", 10)]


def test_a_long_log_of_many_streams_is_read_in_no_time():
    log: list[tuple[Any, ...]] = []
    for n in range(1, 20_000, 4):
        stream = n // 4 % 200
        new = {"new": [(n, 1 << 20 | n * 1024, 512)]}
        log.append(("launch", n, stream, "write", (), (n,), new))
        log.append(("record", n + 1, stream, "", (), (), {}))
        log.append(("stream wait", n + 2, (stream + 1) % 200, "", (), (), {"ticket": n + 1}))
        log.append(("launch", n + 3, (stream + 1) % 200, "read", (n,), (), {}))
        log.append(("free", n + 3, stream, "", (), (n,), {}))
    began = time.process_time()
    assert races(*log) == []
    assert time.process_time() - began < 5  # some seconds at most, where a square of it would be minutes


# --- collectives --------------------------------------------------------------------------------------------------

GROUP = {"group": "1", "sequence": 1, "bytes": 4}
BEGIN = [("record", 2, 0, "", (), (), {}), ("stream wait", 3, 65, "", (), (), {"ticket": 2})]
REDUCE = ("collective", 4, 65, "all_reduce", (7,), (7,), GROUP)
DONE = [("record", 5, 65, "", (), (), {}), ("stream wait", 6, 0, "", (), (), {"ticket": 5})]
STEP = ("launch", 8, 0, "step", (7,), (), {})


@pytest.mark.parametrize(("waits", "found"), [([], [Race(7, False, "all_reduce", 4)]), (DONE, [])], ids=["no", "yes"])
def test_who_uses_what_a_collective_writes_must_wait_for_it(waits: list[tuple[Any, ...]], found: list[Race]):
    assert races(WRITE, *BEGIN, REDUCE, *waits, STEP) == found


def test_a_collective_must_wait_for_what_it_reads():
    assert races(WRITE, REDUCE) == [Race(7, False, "write", 1)]


def test_what_a_collective_uses_is_recorded_for_its_stream():
    free = ("free", 9, 0, "", (), (7,), {})
    assert races(WRITE, *BEGIN, REDUCE, free, ("launch", 10, 0, "again", (), (11,), {"new": [(11, 512, 512)]})) == []


@pytest.mark.parametrize(("sequence", "found"), [(1, 0), (2, 1)], ids=["the same", "another"])
def test_what_is_behind_one_part_is_behind_what_is_before_the_others(sequence: int, found: int):
    """Rank 0 writes before its part, on device 0; behind its own part rank 1 reads it."""
    read = ("peer", 6, 128, "peer copy", (7,), (12,), {"new": [(12, 9999, 512)]})
    for mine, other in ((4, 5), (5, 4)):
        parts = [
            ("collective", mine, 0, "barrier", (), (), GROUP),
            ("collective", other, 128, "barrier", (), (), {**GROUP, "sequence": sequence}),
        ]
        assert len(races(WRITE, *sorted(parts, key=lambda part: part[1]), read)) == found


# --- on the device ------------------------------------------------------------------------------------------------


JOIN = "gpu.current_stream().wait_stream(side)"
PROGRAMS = {
    "no wait for the input": ("with gpu.stream(side): z = y * 2\n    {0}\n    return z", ["beside mm"]),
    "no join": ("side.wait_stream(here)\n    with gpu.stream(side): z = y * 2\n    return z + 1", ["beside mul"]),
    "right": ("side.wait_stream(here)\n    with gpu.stream(side): z = y * 2\n    {0}\n    return z + 1", []),
    "the host waits": ("gpu.synchronize()\n    with gpu.stream(side): z = y * 2\n    {0}\n    return z + 1", []),
    "let go of": (
        "side.wait_stream(here)\n    with gpu.stream(side): z = y * 2\n    del y\n    return z, x + 1",
        ["memory allocated again under mul"],
    ),
    "recorded": (
        "side.wait_stream(here)\n    with gpu.stream(side): z = y * 2\n    y.record_stream(side)\n    del y\n"
        "    return z, x + 1",
        [],
    ),
    "a mark of one's own": ("simgpu.mark('race beside mm')\n    return y", []),
}


@pytest.mark.parametrize("gated", [False, True], ids=["open", "gated"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_race_is_in_the_log_whatever_ran_first(gpu_kernel: Kernel, name: str, gated: bool):
    body, labels = PROGRAMS[name]
    source = f"def f(x):\n    here, side = gpu.current_stream(), gpu.Stream()\n    y = x @ x\n    {body.format(JOIN)}"
    given = student(gpu_kernel, source)
    seen = (given.results_gated if gated else given).call("f", array(X, device=1))
    assert [event.label for event in seen.events if event.kind == "race"] == labels


RANKS = """
import torch.distributed as dist
from simgpu.distributed import ranks
def f(x):
    given = [x, torch.ones(3, 3, device="simgpu:1")]
    def work(rank):
        t = given[rank] * 2
        handle = dist.all_reduce(t, async_op=True)
        {0}
        return t + 1
    return ranks(work, 2)
"""


@pytest.mark.parametrize(("wait", "races"), [("handle.wait()", 0), ("handle.is_completed()", 2)])
def test_each_rank_must_wait_for_its_collective(gpu_kernel: Kernel, wait: str, races: int):
    seen = student(gpu_kernel, RANKS.format(wait)).results_gated.call("f", array(X, device=1))
    assert [event.label for event in seen.events if event.kind == "race"] == ["beside all_reduce"] * races
    parts = [event for event in seen.events if event.label == "all_reduce"]
    assert [(event.kind, event.nbytes, event.crosses) for event in parts] == [("enqueue", 36, True)] * 2
    assert sorted(event.reads for event in parts) == [(1,), (2,)]
    if not races:
        for one in seen.returned:
            np.testing.assert_allclose(one, 2 * X + 3)
