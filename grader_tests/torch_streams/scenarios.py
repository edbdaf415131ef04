"""Scenarios of the assignment `torch_streams`: what the judge does in the student's kernel around a call.

Runs in the engine environment.  A scenario takes the probe and plain parameters and returns plain data; it holds no
expected value.  The order is in the device's log, and comes from the arrays that an operation uses: an input is made of
one of the judge's arrays, a result is what a reported array was read from.  A callback that enqueues nothing looks at
one of the judge's arrays: an iterator at the batch that it gives, `consume` at a place computed from what it got.  So
no verdict depends on a mark, which student code could leave as well, early or late.
"""

from __future__ import annotations

import gc
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Callable

import torch

import simgpu

if TYPE_CHECKING:
    from syncpoint.probe.handlers import Probe
    from syncpoint.probe.run import Run

DEVICE = "simgpu"
gpu = torch.get_device_module(DEVICE)
_stream, _Stream, _Event = gpu.stream, gpu.Stream, gpu.Event  # a notebook may replace those of the module
_empty, _empty_like, _ones, _fill, _tensor = torch.empty, torch.empty_like, torch.ones, torch.Tensor.fill_, torch.tensor
_look, _clone, _numpy, _to = simgpu.look, torch.Tensor.clone, torch.Tensor.numpy, torch.Tensor.to
_mul, _detach = torch.mul, torch.Tensor.detach
_equal, _synchronize = torch.equal, gpu.synchronize
AGAIN = 12  # this many pieces of memory are asked for after a call: one of them gets what was freed
_kept: list[tuple[Any, Any]] = []  # what consume got in earlier calls, and copies of it


@contextmanager
def _run(probe: Probe) -> Iterator[Run]:
    """A run in which the current stream is not the default one; the checks of the notebook call in the default one."""
    with probe.run() as seen, _stream(_Stream()):
        yield seen


def _inputs(probe: Probe, seen: Run, tensors: Sequence[Any], first: int = 0) -> list[Any]:
    """Copies of the judge's tensors, pending in the current stream; first: see `_copy`, the number of the first."""
    with seen.traced():
        return [_copy(probe.array(tensor), number) for number, tensor in enumerate(tensors, first)]


def _copy(tensor: Any, number: int) -> Any:
    """A copy by one operation: a matrix is stored row by row, column by column or as a part of a larger one."""
    if tensor.dim() != 2 or not number % 3:
        return _mul(tensor, 1)
    rows, columns = tensor.shape
    about = {"dtype": tensor.dtype, "device": DEVICE}
    place = _empty(columns, rows, **about).t() if number % 3 == 1 else _empty(rows + 1, columns + 1, **about)[1:, 1:]
    return _mul(tensor, 1, out=place)


def _use(seen: Run, results: Any) -> Any:
    """Read what was returned, on the current stream; gives what was read."""
    return seen.call(lambda: [result + 0 for result in results])


def run_both(probe: Probe, xs: list[Any], ys: list[Any]) -> dict[str, Any]:
    """Call run_both with pairs of matrices that are not computed yet; where ys has none, with one of xs twice.

    Reports what was returned: for each call how many lists and how long, and the products in one list.
    """
    lists: list[list[list[Any]]] = []
    with _run(probe) as seen:
        for number, given in enumerate(zip_longest(xs, ys)):
            pair = _inputs(probe, seen, [one for one in given if one is not None], number)
            returned = seen.call(probe.find("run_both"), pair[0], pair[-1])
            lists.append([list(part) for part in returned] if isinstance(returned, (list, tuple)) else [])
        used = _use(seen, [product for both in lists for part in both for product in part])
        found = probe.fix(used)
    return seen.report(lengths=[list(map(len, both)) for both in lists], results=None if seen.error else found)


def copy_and_compute(probe: Probe, xs: list[Any], places: Any, slow: bool = False) -> dict[str, Any]:
    """Call copy_and_compute with these matrices, which are not computed yet.

    slow: whether consume takes so long that all is computed after it.
    places: an array on the device, to look at; where consume gets a result, it looks at the place that is the result's
    checksum: without the result, code cannot look there.  Reports the arrays that consume got, as they were then
    and as they are at the end, whether each was in pinned memory, and how many of those of earlier calls have changed.
    """
    got: list[Any] = []
    saved: list[Any] = []
    pinned: list[bool] = []

    places = probe.array(places)

    def consume(host: Any) -> None:
        on_host = host.device.type == "cpu"
        pinned.append(bool(on_host and host.is_pinned()))
        got.append(_clone(host.detach(), memory_format=torch.contiguous_format))
        saved.append(host)
        _look(places, zlib.crc32(_numpy(got[-1])) % len(places) if on_host else 0)
        if slow:
            _synchronize()

    with _run(probe) as seen:
        given = seen.give(_inputs(probe, seen, xs))
        seen.call(probe.find("copy_and_compute"), given, consume)
        found, left = probe.fix(got), probe.fix(saved)
        stale = sum(not _equal(*pair) for pair in _kept)
    _kept.extend(pair for pair in zip(saved, got) if pair[0].device.type == "cpu")
    return seen.report(got=None if seen.error else found, left=None if seen.error else left, pinned=pinned, stale=stale)


def prefetcher(
    probe: Probe, w: Any, batches: Any, sizes: list[int], listed: bool = False, left: bool = False
) -> dict[str, Any]:
    """Go through prefetcher(batches) and work on each batch.

    w: a matrix that each is multiplied by, of the type of the batches.  batches: an array on the device, of what each
    batch of these sizes holds.  They become pinned tensors, in a generator, which looks at a row when it is asked for
    the batch, or in a list if ``listed``.  left: whether the loop is left after the first batch.  Reports the mean that
    came of each batch, of the type that the batch has.
    """
    results: list[Any] = []
    saved: list[Any] = []
    batches = probe.array(batches)

    def one_by_one() -> Iterator[Any]:
        for number, size in enumerate(sizes):
            row = _tensor(_look(batches, number), dtype=weights.dtype)
            yield row.view(-1, width)[:size].clone().pin_memory()

    def work() -> None:
        for number, x in enumerate(function(seen.give(list(one_by_one())) if listed else one_by_one())):
            product = _to(x, weights.dtype) @ weights
            results.append(_to((product @ weights).mean(), x.dtype))
            shape = x.shape
            del x, product
            if number % 2:  # else the memory is left to the prefetcher, which may make its tensors on this stream, too
                saved.append([torch.zeros(shape, device=DEVICE) for _ in range(2)])
            if left or number == len(sizes):  # one too many is enough to see
                break

    with _run(probe) as seen:
        (weights,) = _inputs(probe, seen, [w])
        width = len(weights)
        function = probe.find("prefetcher")
        seen.call(work)
        found = probe.fix(results)
    return seen.report(means=None if seen.error else found)


def pipeline_in_order(probe: Probe, xs: list[Any], v: Any, w: Any) -> dict[str, Any]:
    """Call pipeline_in_order with a first stage that multiplies by v and by its number of rows, and a second one
    that multiplies by w.

    Two calls: one with the first input alone, one with all others.  Reports the results.
    """
    results: list[Any] = []
    with _run(probe) as seen:
        v, w = _inputs(probe, seen, [v, w])
        stages = (lambda x: x @ v * len(x)), (lambda h: h @ w)
        for some in (xs[:1], xs[1:]):
            given = seen.give(_inputs(probe, seen, some))
            results += seen.call(probe.find("pipeline_in_order"), *stages, given) or ()
        used = _use(seen, results)
        found = probe.fix(used)
    return seen.report(results=None if seen.error else found)


# Work for memory_reuse: what it returns has one element, or as many as the input.
WORK: dict[str, Callable[[Any], Any]] = {
    "number": lambda t: (t @ t).sum(),
    "matrix": lambda t: t @ t,
    "sizes": lambda t: t.abs(),
}


def memory_reuse(probe: Probe, xs: list[Any], works: list[str], z: Any) -> dict[str, Any]:
    """Call memory_reuse with each input and its work; each time, ask at once for memory on the current stream.

    works: names of WORK.  Between two calls the host waits for the current stream, while side is still held: then all
    that a student may have kept is what side needs.  The tensors that were returned are dropped at once; their values
    are kept.  z: a matrix for work on the side stream beforehand, which tells the log which stream that is.  Reports
    the memory that was used after the calls, and the results, read after the side stream.
    """
    side, other = _Stream(), probe.array(z)
    function: Callable[..., Any] = probe.find("memory_reuse")
    values: list[Any] = []
    later: list[Any] = []
    given: list[Any] = []

    def call(work: Callable[[Any], Any]) -> None:
        values.append(_detach(function(given[-1], work, side)))

    with _run(probe) as seen:
        with seen.traced(), _stream(side):
            before = other * 1
        for number, (x, work) in enumerate(zip(xs, works, strict=True)):
            with seen.traced():
                gpu.current_stream().synchronize()
            given += _inputs(probe, seen, [x], number % 2 * 2)
            seen.call(call, WORK[work])
            gc.collect(1)  # what a student has made lately and only garbage refers to
            with seen.traced():
                later += [_fill(_empty_like(given[-1]), place) for place in range(AGAIN)]
        with seen.traced():
            gpu.current_stream().wait_stream(side)
        used = _use(seen, values)
        found, behind = probe.fix(used), probe.fix([one[:1, :1] for one in later])
        del before
    return seen.report(results=None if seen.error else found, later=behind)


# What is called again and again where memory is counted: one of the student's functions, with matrices of which
# nothing is kept.
CALLS: dict[str, Callable[[Any, list[Any], Any], Any]] = {
    "memory_reuse": lambda function, xs, side: function(xs[0], lambda t: (t @ t).sum(), side),
    "pipeline_in_order": lambda function, xs, side: function(lambda x: x @ x, lambda h: h @ h, xs),
    "copy_and_compute": lambda function, xs, side: function(xs, lambda host: None),
    "prefetcher": lambda function, xs, side: sum((x @ x).sum() for x in function(iter(xs))),
}


def left_behind(probe: Probe, function: str, xs: list[Any], many: int, times: int) -> dict[str, Any]:
    """Call a function with many matrices, this often with one, and once more; each time, the host waits at the end.

    xs: square matrices; in the list of many, each is there several times.  Results are dropped when their work is done.
    What the device counts at the end was left behind.
    """

    results: list[Any] = []
    held: list[Any] = []

    def call(count: int) -> None:
        given, side = held
        results.append(CALLS[function](probe.find(function), (given * many)[:count], side))

    def finish() -> None:
        with seen.traced():
            gpu.synchronize()
        results.clear()

    with _run(probe) as seen:
        held += [_inputs(probe, seen, xs), _Stream()]
        if function == "prefetcher":
            held[0] = [_ones(held[0][0].shape).pin_memory() for _ in range(many)]
        seen.call(call, many)
        finish()
        for _ in range(times):
            seen.call(call, 1)
        finish()
        seen.call(call, 1)
        finish()
        held.clear()
        gc.collect()
        finish()  # and the device hears what was freed
    return seen.report()


def mended(probe: Probe, xs: list[Any], ws: list[Any]) -> dict[str, Any]:
    """Call mended with pairs of matrices that are not computed yet; reports what the caller reads of its results."""
    returned: list[Any] = []
    with _run(probe) as seen:
        for number, pair in enumerate(zip(xs, ws)):
            returned.append(seen.call(probe.find("mended"), *_inputs(probe, seen, pair, number)))
        used = _use(seen, returned)
        found = probe.fix(used)
    return seen.report(results=None if seen.error else found)


def overlap_report(
    probe: Probe, names: list[str], lanes: list[int], order: list[list[Any]], chain: list[str]
) -> dict[str, Any]:
    """Call overlap_report with events that have happened in a given order.

    lanes: the number of the stream of each name, one for each.  order: [name, 0 or 1 for its start or its end], as they
    happen; they are recorded in another one, piece by piece.  chain: names of which each begins at the very event at
    which the one before ends.  To be asked for while everything is held until it is waited for.  Reports the events and
    the pairs that were returned, None for no list.
    """
    streams = [_Stream() for _ in range(max(lanes, default=0) + 1)]
    function: Callable[..., Any] = probe.find("overlap_report")
    with probe.run() as seen:
        with seen.traced():
            x = _ones(4, 4, device=DEVICE)
            shown = {name: (_Event(enable_timing=True), _Event(enable_timing=True)) for name in names}
            for name, following in zip(chain, chain[1:]):
                shown[following] = shown[name][1], shown[following][1]
            for name, lane in zip(names, lanes, strict=True):
                with _stream(streams[lane]):
                    for event in shown[name]:
                        x @ x
                        event.record()
            for name, number in order:
                shown[name][number].synchronize()
        returned = seen.call(function, seen.give(dict(shown)))
        pairs = None if returned is None else [sorted(str(name) for name in pair) for pair in returned]
        found = probe.fix([event for name in names for event in shown[name]])
    return seen.report(moments=None if seen.error else found, pairs=pairs)
