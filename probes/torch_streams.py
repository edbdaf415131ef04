"""Scenarios of the assignment `torch_streams`: what the judge does in the student's kernel around a call.

Runs in the engine environment.  A scenario takes the probe and plain parameters and returns plain data; it holds no
expected value.  All that it says of order stands in the device's log, by marks and by work of its own between them:
"input <name>" stands before the operation that makes this input, "result <number>" before one that reads this result.
Each mark carries a word that the judge has drawn for this call.
The log goes on behind the call: what the caller does with results on the current stream is part of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Callable

import torch

if TYPE_CHECKING:
    from syncpoint.probe.handlers import Probe
    from syncpoint.probe.run import Run

DEVICE = "simgpu"
gpu = torch.get_device_module(DEVICE)
_stream, _Stream, _Event = gpu.stream, gpu.Stream, gpu.Event  # a notebook may replace those of the module
AGAIN = 12  # so many pieces of memory are asked for behind a call: one of them gets what was let go of


class _Caller:
    """The program around a call of the student's.

    Args:
        word: The judge's, for its marks.
    """

    def __init__(self, probe: Probe, seen: Run, word: str) -> None:
        self._probe, self._seen, self._word = probe, seen, word

    def mark(self, kind: str, label: Any = "") -> None:
        """A place in the log."""
        self._seen.mark(kind, f"{self._word} {label}")

    def inputs(self, **tensors: Any) -> list[Any]:
        """Copies of tensors of the judge's, pending in the current stream."""
        made = []
        with self._seen.traced():
            for name, tensor in tensors.items():
                self.mark("input", name)
                made.append(self._probe.array(tensor) * 1)
        return made

    def returned(self) -> None:
        """The student's function has returned."""
        with self._seen.traced():
            self.mark("returned")

    def use(self, results: Any) -> Any:
        """Read what was returned, on the current stream; gives what was read."""
        return self._seen.call(lambda: [self._read(number, result) for number, result in enumerate(results)])

    def _read(self, number: int, result: Any) -> Any:
        self.mark("result", number)
        return result + 0


def run_both(probe: Probe, word: str, x: Any, y: Any) -> dict[str, Any]:
    """Call run_both with two matrices that are not computed yet.

    Reports what was returned: how many lists and how long, and the products in one list.
    """
    with probe.run() as seen:
        caller = _Caller(probe, seen, word)
        x, y = caller.inputs(x=x, y=y)
        returned = seen.call(probe.find("run_both"), x, y)
        lists = [list(part) for part in returned] if isinstance(returned, (list, tuple)) else []
        caller.returned()
        used = caller.use([product for part in lists for product in part])
        found = probe.fix(used)
    return seen.report(lengths=[len(part) for part in lists], products=None if seen.error else found)


def copy_and_compute(probe: Probe, word: str, xs: list[Any]) -> dict[str, Any]:
    """Call copy_and_compute with these matrices, which are not computed yet.

    Reports the arrays that consume got, as they were then and
    as they are at the end, and whether each lay in pinned memory.
    """
    got: list[Any] = []
    kept: list[Any] = []
    pinned: list[bool] = []

    def consume(host: Any) -> None:
        caller.mark("consume", len(got))
        pinned.append(bool(host.device.type == "cpu" and host.is_pinned()))
        got.append(host.detach().clone())
        kept.append(host)

    with probe.run() as seen:
        caller = _Caller(probe, seen, word)
        given = caller.inputs(**{f"x{number}": x for number, x in enumerate(xs)})
        seen.call(probe.find("copy_and_compute"), given, consume)
        caller.returned()
        found, left = probe.fix(got), probe.fix(kept)
    return seen.report(got=None if seen.error else found, left=None if seen.error else left, pinned=pinned)


def prefetcher(probe: Probe, word: str, batches: list[Any], w: Any) -> dict[str, Any]:
    """Go through prefetcher(batches) and work on each batch.

    batches: arrays of the host's; they become pinned tensors, to be gone through once.  w: a matrix that each is
    multiplied by.  Reports the result of each batch.
    """
    results: list[Any] = []
    kept: list[Any] = []

    def drawn() -> Iterator[Any]:
        for number, batch in enumerate(hosts):
            caller.mark("drawn", number)
            yield batch

    def work() -> None:
        for number, x in enumerate(function(drawn())):
            caller.mark("work", number)
            product = x @ weights
            result = (product @ weights).sum()
            results.append(result)
            caller.mark("worked", number)
            shape = x.shape
            del x, product
            kept.append([torch.zeros(shape, device=DEVICE) for _ in range(2)])
            if number == len(hosts):  # one too many is enough to see
                break

    with probe.run() as seen:
        caller = _Caller(probe, seen, word)
        hosts = [torch.from_numpy(batch).pin_memory() for batch in batches]
        (weights,) = caller.inputs(w=w)
        function = probe.find("prefetcher")
        seen.call(work)
        found = probe.fix(results)
    return seen.report(results=None if seen.error else found)


def pipeline_in_order(probe: Probe, word: str, xs: list[Any], v: Any, w: Any) -> dict[str, Any]:
    """Call pipeline_in_order with a first stage that multiplies by v and a second one that multiplies by w.

    Reports the results, and how often each stage was called.
    """
    calls = {"first": 0, "second": 0}

    def first(x: Any) -> Any:
        calls["first"] += 1
        return x @ v

    def second(h: Any) -> Any:
        calls["second"] += 1
        return h @ w

    with probe.run() as seen:
        caller = _Caller(probe, seen, word)
        v, w, *given = caller.inputs(v=v, w=w, **{f"x{number}": x for number, x in enumerate(xs)})
        returned = seen.call(probe.find("pipeline_in_order"), first, second, given)
        caller.returned()
        used = caller.use(returned or ())
        found = probe.fix(used)
    return seen.report(results=None if seen.error else found, **calls)


def memory_reuse(probe: Probe, word: str, x: Any, z: Any) -> dict[str, Any]:
    """Call memory_reuse, and at once ask for memory on the current stream and use it.

    z: a matrix of the same size, for work on the side stream beforehand, which tells the log which stream that is.
    Reports the result, read behind the side stream.
    """
    side = _Stream()
    other = probe.array(z)

    def work(t: Any) -> Any:
        caller.mark("work")
        return (t @ t).sum()

    with probe.run() as seen:
        caller = _Caller(probe, seen, word)
        (x,) = caller.inputs(x=x)
        with seen.traced(), _stream(side):
            caller.mark("input", "side")
            before = other * 1
        returned = seen.call(probe.find("memory_reuse"), x, work, side)
        caller.returned()
        with seen.traced():
            later = [torch.empty_like(x).fill_(number) for number in range(AGAIN)]
            caller.mark("later")
            gpu.current_stream().wait_stream(side)
        used = caller.use([returned])
        found = probe.fix(used)
        del before, later
    return seen.report(results=None if seen.error else found)


def mended(probe: Probe, word: str, x: Any, w: Any) -> dict[str, Any]:
    """Call mended with two matrices that are not computed yet; reports what the caller reads of its result."""
    with probe.run() as seen:
        caller = _Caller(probe, seen, word)
        x, w = caller.inputs(x=x, w=w)
        returned = seen.call(probe.find("mended"), x, w)
        caller.returned()
        used = caller.use([returned])
        found = probe.fix(used)
    return seen.report(results=None if seen.error else found)


def overlap_report(
    probe: Probe, word: str, names: list[str], lanes: list[int], order: list[list[Any]]
) -> dict[str, Any]:
    """Call overlap_report with events that have happened in a given order.

    lanes: the number of the stream of each name.  order: [name, 0 or 1 for its start or its end], as they happen; to be
    asked for while everything is held until it is waited for.  Reports the events and what was returned.
    """
    streams = [_Stream() for _ in range(max(lanes, default=0) + 1)]
    spans: dict[str, Any] = {}
    function: Callable[..., Any] = probe.find("overlap_report")
    with probe.run() as seen:
        caller = _Caller(probe, seen, word)
        with seen.traced():
            x = torch.ones(4, 4, device=DEVICE)
            for name, number in order:
                stream = streams[lanes[names.index(name)]]
                pair = spans.setdefault(name, (_Event(enable_timing=True), _Event(enable_timing=True)))
                with _stream(stream):
                    if number:
                        x @ x
                    pair[number].record(stream)
                pair[number].synchronize()
        shown = {name: spans[name] for name in names}
        returned = seen.call(function, dict(shown))
        caller.returned()
        pairs = None if seen.error else [sorted(str(name) for name in pair) for pair in returned]
        kind = type(returned).__name__
        found = probe.fix([event for name in names for event in shown[name]])
    return seen.report(moments=None if seen.error else found, pairs=pairs, kind=kind)
