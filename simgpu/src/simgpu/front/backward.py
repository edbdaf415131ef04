"""Streams of the backward pass: each operation runs on the stream of its forward pass, as on CUDA."""

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import torch
from torch.autograd.graph import GradientEdge

from simgpu.frames import Kind, json_message
from simgpu.front import gradients, state
from simgpu.front.link import link
from simgpu.front.tensor import SimTensor, Storage
from simgpu.wire import STREAMS


def stream_waits(stream: int, other: int) -> None:
    """Make a stream wait for the work launched on another; the host does not wait."""
    connection = link()
    ticket = connection.post(Kind.RECORD, json_message(Kind.RECORD, {"stream": other}), other // STREAMS)
    head = {"stream": stream, "ticket": ticket}
    connection.post(Kind.STREAM_WAIT, json_message(Kind.STREAM_WAIT, head), stream // STREAMS)


def record_stream(storage: Storage, stream: int) -> None:
    """Keep the memory from other allocations until this stream has reached this point."""
    link().say("record stream", storage=storage.number, stream=stream)


def _order(stream: int, storages: Iterable[Storage]) -> None:
    """Make a stream wait for the nodes that computed these gradients on other streams, and for nothing else.

    Like autograd, it records the stream on the gradients: they are freed without the stream on which they were made.
    """
    others = [s for s in storages if s.gradient_on not in (None, stream)]
    for other in {s.gradient_on for s in others if s.gradient_on is not None}:
        stream_waits(stream, other)
    for storage in others:
        record_stream(storage, stream)


@dataclass(eq=False)
class Pass:
    """One backward pass.

    Attributes:
        caller: The caller's stream on each device.
        accumulates: By identity, the stream on which a leaf accumulates its gradient: that of its first use.
        used: The streams on which nodes have run.
    """

    caller: list[int]
    accumulates: dict[int, int]
    used: set[int] = field(default_factory=set)

    def runs_on(self, stream: int) -> None:
        """Note the stream of a node."""
        if not self.used:  # the first callback: the program's callbacks find the gradients on the caller's streams
            torch.autograd.Variable._execution_engine.queue_callback(self._end)  # type: ignore[attr-defined]
        self.used.add(stream)

    def _end(self) -> None:
        state.LOCAL.streams = list(self.caller)
        for stream in sorted(self.used):
            here = self.caller[stream // STREAMS]
            if here != stream:
                stream_waits(here, stream)

    def stream_of(self, node: Any, device: int) -> int:
        """Return the stream of a node on a device."""
        if type(node).__name__ == _ACCUMULATE:
            return self.accumulates.get(id(node.variable), self.caller[device])
        stream = state.LOCAL.forward.get(node._sequence_nr(), state.DEFAULT_STREAMS[device])
        return stream if stream // STREAMS == device else state.DEFAULT_STREAMS[device]


_ACCUMULATE = "AccumulateGrad"


def _accumulates(roots: Iterable[Any]) -> dict[int, int]:
    """Note on which stream each leaf of a graph was first used: there PyTorch accumulates its gradient."""
    first: dict[int, tuple[int, int]] = {}
    todo = [root.node if isinstance(root, GradientEdge) else root.grad_fn for root in roots]
    seen: dict[int, Any] = {}
    while todo:
        node = todo.pop()
        if node is None or id(node) in seen:
            continue
        seen[id(node)] = node
        number = node._sequence_nr()
        for following, _ in node.next_functions:
            if type(following).__name__ != _ACCUMULATE:
                todo.append(following)
                continue
            leaf, device = following.variable, following.variable.device
            if device.type in state.OURS:
                stream = state.LOCAL.forward.get(number, state.DEFAULT_STREAMS[device.index])
                first[id(leaf)] = min(first.get(id(leaf), (number, stream)), (number, stream))
    return {leaf: stream for leaf, (_, stream) in first.items()}


def note(stream: int, storages: Iterable[Storage]) -> None:
    """Note the stream of created or written storages; in a backward pass, the node's successors get it."""
    if torch._C._current_graph_task_id() != -1 and not state.LOCAL.in_hook:
        for storage in storages:
            storage.gradient_on = stream


def stream_for(device: int, storages: Iterable[Storage]) -> int:
    """Return where an operation on these storages runs now."""
    local = state.LOCAL
    stream = local.streams[device]
    if stream is not None and not state.Flags.side_streams:
        return stream
    node = torch._C._current_autograd_node()
    if node is None:
        stream = local.running.caller[device] if stream is None else stream
        _note_node(stream)
        return stream
    if stream is not None:  # a hook's own ``with stream``
        return stream
    there: int = local.running.stream_of(node, device)
    if not local.in_hook:
        _order(there, storages)
    local.running.runs_on(there)
    _note_node(there)
    if torch.is_grad_enabled():  # the next node's operations may be on another stream
        local.nodes = torch._C._autograd._get_sequence_nr()  # type: ignore[attr-defined]
    return there


def _note_node(stream: int) -> None:
    """Note the stream of the node that autograd has just created for an operation."""
    if stream % STREAMS and torch.is_grad_enabled():
        made = torch._C._autograd._get_sequence_nr()  # type: ignore[attr-defined]
        if made > state.LOCAL.nodes:  # otherwise the last node belongs to another stream, and this operation has none
            state.LOCAL.forward[made - 1] = stream


def current_stream_number(device: int | None = None) -> int:
    """Return the stream of this thread's launches, also within a node of a backward pass."""
    device = state.LOCAL.device if device is None else device
    stream = state.LOCAL.streams[device]
    return stream_for(device, []) if stream is None else stream


def keep_for_the_end(error: BaseException) -> None:
    """Keep an exception of the backward pass; the first one is raised when the pass has ended."""
    if state.LOCAL.failed is None:
        state.LOCAL.failed = error


def _ready(given: Iterable[Any]) -> None:
    """Make the node's stream wait for the gradient that a hook is called for."""
    for tensor in given:
        for one in (tensor, tensor.grad if isinstance(tensor, torch.Tensor) and tensor.is_leaf else None):
            if isinstance(one, SimTensor):
                stream_for(one._storage.device, [one._storage])


def guarded(hook: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a hook of the backward pass, so that it finds the gradient computed on its node's stream.

    Its own operations it must order itself, as on CUDA.
    """

    @functools.wraps(hook)
    def call(*args: Any) -> Any:
        local = state.LOCAL
        outer = local.in_hook
        try:
            if state.Flags.side_streams and not outer:
                _ready(args)
            local.in_hook = torch._C._current_autograd_node() is not None
            return hook(*args)
        finally:
            local.in_hook = outer

    return call


def in_this_thread(run: Callable[..., Any]) -> Callable[..., Any]:
    """Run the backward pass in the thread that calls it.

    The engine's own threads are sized by C++'s ``deviceCount()``, which is 1 for a backend in Python. Each node runs on
    the stream of its forward; at the end the streams that the caller is on wait for them, and no others do.
    """

    @functools.wraps(run)
    def backward(*args: Any, **kwargs: Any) -> Any:
        local = state.LOCAL
        outer, streams, in_hook, running = local.failed, local.streams, local.in_hook, local.running
        local.failed, local.in_hook = None, False
        args = (args[0], gradients.at_roots(args[0], args[1]), *args[2:])
        if state.Flags.side_streams:
            caller = [current_stream_number(device) for device in range(len(streams))]
            for given in args[1]:  # the initial gradients of the pass
                if isinstance(given, SimTensor):
                    given._storage.gradient_on = caller[given._storage.device]
            local.running = Pass(caller, _accumulates(args[0]) if local.forward else {})
            local.streams = [None] * len(streams)
        try:
            with torch.autograd.set_multithreading_enabled(False):
                result = run(*args, **kwargs)
        except BaseException:
            if local.failed is not None:
                raise local.failed from None
            raise
        finally:
            failed: BaseException | None = local.failed
            local.failed, local.streams = outer, streams
            local.in_hook, local.running = in_hook, running
        if failed is not None:
            raise failed
        return result

    return backward
