"""The log of a call on the simulated GPU, as `syncpoint.graders.device_log` reads it for graders."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from toy_gpu import student

from syncpoint.graders import array
from syncpoint.graders.device_log import UPLOAD, DeviceLog
from syncpoint.judge.kernel import Kernel

X = np.arange(9, dtype="float32").reshape(3, 3)
Read = Callable[..., Any]


@pytest.fixture
def read(gpu_kernel: Kernel) -> Read:
    """``read(source)``: the log of ``f(x)`` of this source, with gated results, and what it returned."""

    def run(source: str) -> Any:
        given = student(gpu_kernel, f"side = gpu.Stream()\ndef f(x):\n{source}")
        seen = given.results_gated.call("f", array(X, device=1))
        return DeviceLog.of(seen), seen.returned

    return run


def labels(operations: Any) -> list[str]:
    return [operation.label for operation in operations]


def test_a_wait_covers_what_it_waits_for_and_nothing_behind(read: Read):
    source = """
    y = x @ x
    done = gpu.current_stream().record_event()
    z = y.tanh()
    done.synchronize()
    return y, z
"""
    log, (y, z) = read(source)
    mm, tanh = log.operations
    assert (labels(log.operations), mm.covered) == (["mm", "tanh"], log.waits[0])
    assert (log.is_done(y.number), log.is_done(z.number)) == (True, False)
    assert log.follows_from(tanh, 1) and labels(log.ancestors([tanh])) == ["mm"]
    assert (log.before(mm, tanh), log.races) == (True, [])


def test_a_copy_from_ordinary_memory_is_its_own_wait(read: Read):
    log, _ = read("    return torch.ones(3).to(x.device)")
    (upload,) = log.operations
    assert upload.covered == log.waits[0]


def test_a_full_launch_queue_is_no_wait_and_orders_nothing(read: Read):
    source = """
    y = x.clone()
    for _ in range(1100):
        x.add_(1)
    with gpu.stream(side):
        return y + 1
"""
    log, _ = read(source)
    assert [event.target for event in log.events if event.kind == "wait"] == ["launch queue"]
    assert (log.waits, len(log.races)) == ([], 1)


@pytest.mark.parametrize(
    ("before", "between", "raced"),
    [
        ("pass", "pass", True),
        ("side.wait_stream(gpu.current_stream())", "pass", True),  # z is read on the first stream too early
        ("side.wait_stream(gpu.current_stream())", "gpu.current_stream().wait_stream(side)", False),
        ("gpu.current_stream().record_event().wait(side)", "side.record_event().wait()", False),
        ("gpu.synchronize()", "side.synchronize()", False),
        ("side.wait_stream(gpu.current_stream())", "side.wait_stream(gpu.current_stream())", True),
    ],
)
def test_order_comes_from_streams_events_and_waits(read: Read, before: str, between: str, raced: bool):
    source = f"""
    y = x @ x
    {before}
    with gpu.stream(side):
        z = y + 1
    {between}
    return z * 2
"""
    log, _ = read(source)
    _, add, mul = log.operations
    assert bool(log.races) is raced
    assert log.before(add, mul) is not raced and not log.before(mul, add)


def test_commands_of_two_streams_are_concurrent(read: Read):
    source = """
    side.wait_stream(gpu.current_stream())
    y = x @ x
    with gpu.stream(side):
        z = x @ x
    return y, z
"""
    log, _ = read(source)
    assert log.beside(*log.operations) and log.races == []


def test_the_log_says_how_much_of_an_array_is_read(read: Read):
    source = """
    for rows in (x, x[:1], x[1:], x[0, 0], x[:, :1].expand(3, 3)):
        rows + 1
    x @ x.t()
    x.to("cpu", non_blocking=True)
    return x[:2].clone() + x[1:].clone()
"""
    log, _ = read(source)
    reported = [(one.label, one.elements[1]) for one in log.readers(1)]
    assert reported[:5] == [("add", 9), ("add", 3), ("add", 6), ("add", 1), ("add", 3)]
    assert reported[5:] == [("mm", 18), ("copy to the host", 9), ("clone", 6), ("clone", 6)]
    assert [len(group) for group in log.whole_readings(1, 9)] == [1, 2, 3, 1, 2]


def test_what_computes_with_all_of_an_array_may_compute_with_a_copy(read: Read):
    source = """
    same = x.clone()
    y = same @ same
    return y + x[0, 0], y + 0, y.clone(), x.sum()
"""
    log, _ = read(source)
    assert labels(log.computing(1, 9)) == ["mm", "sum"]


def test_the_log_says_how_many_bytes_come_to_each_device(read: Read):
    source = """
    there = x.to("simgpu:1")
    torch.ones(4, 2).to("simgpu:1")
    torch.ones(5).pin_memory().to("simgpu:2", non_blocking=True)
    return there[:1] + 1, x.cpu()
"""
    log, _ = read(source)
    assert log.brought() == {2: 36 + 32, 3: 20}
    assert log.brought(lambda event: event.label == UPLOAD) == {2: 32, 3: 20}


class Ranks(DeviceLog):
    """Each device has a thread of the host."""

    def thread_of(self, event: Any) -> int:
        return max((*event.reads, *event.writes), default=0)


def test_the_wait_of_one_thread_orders_nothing_that_another_one_enqueues(read: Read):
    source = """
    other = torch.ones(3, 3, device="simgpu:1")
    y = x @ x
    gpu.synchronize(0)
    return y, other @ other, x.tanh()
"""
    log, _ = read(source)
    mm, elsewhere, tanh = (one for one in log.operations if one.label in ("mm", "tanh"))
    assert log.before(mm, elsewhere) and log.before(mm, tanh)
    ranks = Ranks(log.events, log.pending)
    assert ranks.beside(mm, elsewhere) and ranks.before(mm, tanh)
