"""What a judge can know of code in the front end's process: what it was given, and what it has brought."""

import numpy as np
import pytest
import torch
from device import DEVICE, gpu, judge, value
from simgpu.records import fingerprint

import simgpu


def test_a_look_gives_a_number_of_the_judges_and_stands_in_the_log():
    numbers = np.array([1.5, -2.25, 1e300])
    storage, spec = judge.put(numbers, look=True)
    given, own = simgpu.adopt(storage, spec), torch.ones(3, device=DEVICE)
    judge.hold_until_waited_for()
    try:
        pending, start = own + 1, judge.state().log
        assert [simgpu.look(given, place) for place in (2, 0)] == [1e300, 1.5]
        entries = judge.log(start)
        assert [(e.kind, e.name, e.reads) for e in entries] == [("look", "2", (storage,)), ("look", "0", (storage,))]
        assert value(pending) is None
        with pytest.raises(ValueError, match="only arrays that a judge has put on the device with look=True"):
            simgpu.look(own, 0)
        with pytest.raises(IndexError):
            simgpu.look(given, 3)
    finally:
        judge.release()


def test_a_look_at_an_array_of_several_axes_gives_a_row():
    numbers = np.arange(6, dtype="float32").reshape(3, 2) / 3
    given, start = simgpu.adopt(*judge.put(numbers, look=True)), judge.state().log
    assert simgpu.look(given, 2) == numbers[2].tolist()
    assert [e.name for e in judge.log(start)] == ["2"]
    with pytest.raises(IndexError):
        simgpu.look(given, 3)


def test_the_program_reads_nothing_of_the_log_that_a_judge_needs():
    before = simgpu.timeline()
    x, wrong = torch.ones(4, 4).to(DEVICE), torch.tensor([1, 9]).to(DEVICE)
    judge.need_log()
    try:
        shown = simgpu.timeline(before)
        assert [e.kind for e in shown.entries if e.is_command] == ["upload", "upload"]
        torch.nn.functional.embedding(wrong, x)
        with pytest.raises(
            RuntimeError, match=r"aten\.embedding\.default \(on stream 0 of simgpu:0\): index out of range"
        ):
            gpu.synchronize()
        hidden = simgpu.timeline(before)
        assert (hidden.entries, hidden.runs) == (shown.entries, shown.runs)
    finally:
        judge.need_log(False)
    later = simgpu.timeline(hidden)
    assert [e.kind for e in later.entries if e.kind in ("launch", "error")] == ["launch", "error"]


def test_nobody_can_look_at_what_was_not_put_for_it_or_was_written_since():
    plain, shown = (simgpu.adopt(*judge.put(np.ones(2), look=look)) for look in (False, True))
    refused = pytest.raises(ValueError, match="only arrays that a judge has put on the device with look=True")
    with refused:
        simgpu.look(plain, 0)
    assert simgpu.look(shown, 0) == 1
    shown[1:].copy_(plain[1:])
    gpu.synchronize()
    with refused:
        simgpu.look(shown, 0)
    assert (shown + plain).tolist() == [2, 2]  # the session continues


def test_a_copy_from_the_host_says_what_it_has_brought_where_a_judge_needs_the_log():
    values = torch.randn(300, 100)
    wanted = fingerprint(values.numpy().tobytes(), 4)
    assert wanted == fingerprint(values.flip(0).numpy().tobytes(), 4) != fingerprint((values + 1).numpy().tobytes(), 4)

    def brought() -> list[list[str]]:
        start = judge.state().log
        kept = values[:3].to(DEVICE), values.to(DEVICE), values.t().pin_memory().to(DEVICE, non_blocking=True)
        gpu.synchronize()
        del kept
        return [e.detail["values"] for e in judge.log(start) if e.kind in ("upload", "h2d")]

    assert brought() == [[], [], []]
    judge.need_log()
    try:
        assert brought() == [[fingerprint(values[:3].numpy().tobytes(), 4)], [wanted], [wanted]]
    finally:
        judge.need_log(False)
