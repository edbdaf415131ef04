"""Small programs that run on a CUDA card and on simgpu alike, and say what they saw: ``cuda_check.py`` compares them.

    python scripts/cuda_programs.py simgpu|as_cuda|cuda

Prints a JSON object: the name of each program, with what it saw. Each is a function of a `Place`; the first line of its
docstring is its name in the table.
"""

import contextlib
import json
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch

CYCLES = 2_000_000_000  # cycles of a card's clock: about a second
WAITS = """
x + 1
x @ x
x.masked_fill(m, 0.0)
torch.where(m, x, 0.0)
torch.zeros(3, device=x.device)
torch.arange(9, device=x.device)
torch.randn_like(x)
x * torch.tensor(2.0)
x.to(torch.float64)
x[i]
x.index_select(0, i)
x.to('cpu', non_blocking=True)
p.to(x.device, non_blocking=True)
p.to(x.device)
h.to(x.device, non_blocking=True)
h.to(x.device)
torch.tensor([1, 2], device=x.device)
x[0, 0].item()
float(x[0, 0])
bool(m.any())
x.tolist()
x.cpu()
m.nonzero()
torch.where(m)
x[m]
x[c]
x.masked_select(m)
x.unique()
torch.equal(x, x)
i.repeat_interleave(i)
i.repeat_interleave(i, output_size=3)
torch.nn.utils.clip_grad_norm_(w, 1.0)
""".strip().splitlines()
"""Each is one operation: ``x``, ``m`` (a mask), ``i`` (indices) and ``w`` (a parameter) are on the device, ``h``, ``c``
(a mask) and ``p`` (pinned) on the host."""


@dataclass(frozen=True)
class Place:
    """Where the programs run.

    Attributes:
        gpu: ``torch.cuda``, or the module that replaces it.
        device: Its first device.
        held: Holds up a stream as long as the block lasts, or on a card for about a second.
    """

    gpu: Any
    device: torch.device
    held: Callable[[Any], contextlib.AbstractContextManager[None]]

    def ones(self, *size: int) -> torch.Tensor:
        """A tensor that is there."""
        made = torch.ones(*size, device=self.device)
        self.gpu.synchronize()
        return made


def place(name: str) -> Place:
    """The place of this name."""
    if name == "cuda":
        return Place(torch.cuda, torch.device("cuda", 0), _asleep)
    import simgpu

    if name == "as_cuda":
        os.environ.pop("CUDA_VISIBLE_DEVICES", None)  # a card stays hidden, since simgpu has looked for it
        simgpu.as_cuda()
    gpu = torch.cuda if name == "as_cuda" else simgpu.install()
    judge = simgpu.control()

    @contextlib.contextmanager
    def held(stream: Any) -> Iterator[None]:
        judge.hold(stream=stream.stream_id)
        try:
            yield
        finally:
            judge.release()

    return Place(gpu, torch.device("cuda" if name == "as_cuda" else "simgpu", 0), held)


@contextlib.contextmanager
def _asleep(stream: Any) -> Iterator[None]:
    with torch.cuda.stream(stream):
        torch.cuda._sleep(CYCLES)  # type: ignore[attr-defined]
    yield


def pending(at: Any) -> str:
    """The state of a stream or an event."""
    return "done" if at.query() else "pending"


def raised(work: Callable[[], Any]) -> str:
    """The type of what a call raises."""
    try:
        work()
    except Exception as error:
        return type(error).__name__
    return "nothing"


# ---- the programs


def returns_early(at: Place) -> str:
    """operations return before they run"""
    x = at.ones(8)
    with at.held(at.gpu.current_stream()):
        y = x + 1
        before = pending(at.gpu.current_stream())
    return f"{before}, then {y.sum().item()}"


def reads_wait(at: Place) -> str:
    """after `.item()` nothing is pending"""
    (at.ones(8) + 1).sum().item()
    return pending(at.gpu.current_stream())


def streams_are_independent(at: Place) -> str:
    """a busy side stream does not delay the default stream"""
    side, x = at.gpu.Stream(), at.ones(8)
    with at.held(side):
        with at.gpu.stream(side):
            _ = x * 2
        y = x + 1
        at.gpu.current_stream().synchronize()
        return f"side {pending(side)}, default {y.sum().item()}"


def events_order(at: Place) -> str:
    """an event is pending until its stream reaches it, and then orders another stream"""
    side, x = at.gpu.Stream(), at.ones(8)
    with at.held(side):
        with at.gpu.stream(side):
            y = x * 2
            done = side.record_event()
        before = pending(done)
        at.gpu.current_stream().wait_event(done)
        z = y + 1
        blocked = pending(at.gpu.current_stream())
    return f"{before}, default {blocked}, then {z.sum().item()}"


def reentered(at: Place) -> str:
    """a stream that is entered twice is left twice"""
    side = at.gpu.Stream()
    with at.gpu.stream(side), at.gpu.stream(side):
        pass
    return "default" if at.gpu.current_stream() == at.gpu.default_stream() else "side"


def callers_stream(at: Place) -> str:
    """after `backward()` under a side stream, the default stream does not wait for the gradients"""
    p, side = torch.ones(64, device=at.device, requires_grad=True), at.gpu.Stream()
    at.gpu.synchronize()
    with at.held(side):
        with at.gpu.stream(side):
            (p * 3).sum().backward()
        assert p.grad is not None
        _ = p.grad + 1
        at.gpu.current_stream().synchronize()
        return f"side {pending(side)}"


def forwards_stream(at: Place) -> str:
    """the backward pass runs on the stream of the forward pass"""
    side, seen = at.gpu.Stream(), []
    x = torch.ones(4, device=at.device, requires_grad=True)
    side.wait_stream(at.gpu.current_stream())
    with at.gpu.stream(side):
        y = x * 2
        y.register_hook(lambda grad: seen.append(at.gpu.current_stream() == side))
        total = y.sum()
    total.backward()
    return "side" if seen == [True] else "another stream"


def pinned_copies(at: Place) -> str:
    """a copy from pinned memory reads it when it runs"""
    batch = torch.ones(1 << 16).pin_memory()
    with at.held(at.gpu.current_stream()):
        x = batch.to(at.device, non_blocking=True)
        batch.fill_(5.0)
    return f"reads {x[0].item()}"


def memory_falls(at: Place) -> str:
    """memory is free when Python drops the last tensor that uses it, and stays reserved"""
    before = at.gpu.memory_allocated()
    x = at.ones(1 << 20)
    grew = at.gpu.memory_allocated() - before
    reserved = at.gpu.memory_reserved()
    del x
    kept = at.gpu.memory_reserved() == reserved
    at.gpu.empty_cache()
    return f"+{grew}, {at.gpu.memory_allocated() - before}, kept {kept}, emptied {at.gpu.memory_reserved() < reserved}"


def peak(at: Place) -> str:
    """`max_memory_allocated` is the peak since the last reset"""
    at.gpu.reset_peak_memory_stats()
    before = at.gpu.memory_allocated()
    x = at.ones(1 << 20)
    del x
    found = at.gpu.max_memory_allocated() - before
    at.gpu.reset_peak_memory_stats()
    return f"{found}, then {at.gpu.max_memory_allocated() - before}"


def reuse(at: Place) -> str:
    """a freed block is used again by the next tensor of its size and stream"""
    x = at.ones(1 << 20)
    where = x.data_ptr()
    del x
    y, side = at.ones(1 << 20), at.gpu.Stream()
    again = y.data_ptr() == where
    del y
    with at.gpu.stream(side):
        z = torch.empty(1 << 20, device=at.device)
    return f"same stream {again}, other stream {z.data_ptr() == where}"


def full(at: Place) -> str:
    """a full device raises at once, and goes on"""
    error = raised(lambda: torch.empty(1 << 44, dtype=torch.uint8, device=at.device))
    return f"{error}, then {at.ones(3).sum().item()}"


def debug_mode(at: Place) -> str:
    """`set_sync_debug_mode("error")` refuses hidden waits and leaves explicit ones alone"""
    x = at.ones(3)
    at.gpu.set_sync_debug_mode("error")
    found = [
        raised(x.tolist),
        raised(x.nonzero),
        raised(at.gpu.synchronize),
        raised(at.gpu.current_stream().synchronize),
    ]
    at.gpu.set_sync_debug_mode("default")
    return ", ".join(found)


def elapsed(at: Place) -> str:
    """`elapsed_time` needs recorded events with timing"""
    timed, plain = at.gpu.Event(enable_timing=True), at.gpu.Event()
    found = [raised(lambda: timed.elapsed_time(at.gpu.Event(enable_timing=True)))]
    plain.record()
    found.append(raised(lambda: plain.elapsed_time(plain)))
    end = at.gpu.Event(enable_timing=True)
    timed.record()
    end.record()
    at.gpu.synchronize()
    return f"{', '.join(found)}, then {'a time' if timed.elapsed_time(end) >= 0 else 'less than 0'}"


def mixing(at: Place) -> str:
    """one operation cannot mix tensors of host and device, except for numbers"""
    x = at.ones(3)
    return f"{raised(lambda: x + torch.ones(3))}, {raised(lambda: x + torch.tensor(1.0))}"


def shapes(at: Place) -> str:
    """wrong shapes are reported at once"""
    x = at.ones(3)
    with at.held(at.gpu.current_stream()):
        return raised(lambda: x @ torch.ones(4, device=at.device))


def generator(at: Place) -> str:
    """a state of the generator repeats the numbers"""
    state = at.gpu.get_rng_state()
    one = torch.rand(5, device=at.device)
    at.gpu.set_rng_state(state)
    return f"{len(state)} bytes, {'equal' if torch.equal(one, torch.rand(5, device=at.device)) else 'others'}"


def priorities(at: Place) -> str:
    """streams have priorities"""
    return ", ".join(str(at.gpu.Stream(priority=p).priority) for p in (0, -1))


def late_error(at: Place) -> str:
    """an index out of bounds is an error at the next wait (it runs last: on a card the process is lost)"""
    x, index = at.ones(4), torch.tensor([9], device=at.device)
    enqueued = raised(lambda: x[index])
    found = raised(at.gpu.synchronize)
    return f"{enqueued}, then {found}, then {raised(lambda: at.ones(3).sum().item())}"


PROGRAMS = [
    returns_early, reads_wait, streams_are_independent, events_order, reentered, callers_stream, forwards_stream,
    pinned_copies, memory_falls, peak, reuse, full, debug_mode, elapsed, mixing, shapes, generator,
    priorities, late_error,
]  # fmt: skip


def count_waits(at: Place, operation: str) -> str:
    """How often the debug mode warns of an operation."""
    x = torch.arange(16.0).reshape(4, 4).to(at.device)
    w = torch.nn.Parameter(torch.ones(3, device=at.device))
    w.grad = torch.ones(3, device=at.device)
    names = {
        **{"torch": torch, "x": x, "m": x > 3, "i": torch.tensor([0, 1, 2], device=at.device), "w": [w]},
        **{"h": torch.ones(3), "c": torch.ones(4, 4) > 0, "p": torch.ones(3).pin_memory()},
    }
    at.gpu.synchronize()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        at.gpu.set_sync_debug_mode("warn")
        try:
            eval(operation, names)
        finally:
            at.gpu.set_sync_debug_mode("default")
    return str(sum("synchroniz" in str(one.message) for one in caught))


def seen(work: Callable[[], str]) -> str:
    """What a program saw, or the error that ended it."""
    try:
        return work()
    except Exception as error:
        return f"{type(error).__name__}: {error}".splitlines()[0][:100]


def main() -> None:
    """Run all of them."""
    at = place(sys.argv[1])
    waits = {line: seen(lambda line=line: count_waits(at, line)) for line in WAITS}  # type: ignore[misc]
    found = {(p.__doc__ or "").splitlines()[0]: seen(lambda p=p: p(at)) for p in PROGRAMS}  # type: ignore[misc]
    print(json.dumps({"semantics": found, "waits": waits}))


if __name__ == "__main__":
    main()
