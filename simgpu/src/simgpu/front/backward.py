"""Streams of the backward pass: each operation runs on the stream of its forward, as autograd does on CUDA."""

import functools
from collections.abc import Callable, Iterable
from typing import Any

import torch

from simgpu.frames import Kind, json_message
from simgpu.front import state
from simgpu.front.link import link
from simgpu.front.tensor import SimTensor, Storage
from simgpu.wire import STREAMS


def stream_waits(stream: int, other: int) -> None:
    """A stream waits for what has been launched on another; the host does not."""
    connection = link()
    ticket = connection.post(Kind.RECORD, json_message(Kind.RECORD, {"stream": other}), other // STREAMS)
    head = {"stream": stream, "ticket": ticket}
    connection.post(Kind.STREAM_WAIT, json_message(Kind.STREAM_WAIT, head), stream // STREAMS)


def _order(stream: int, storages: Iterable[Storage]) -> None:
    """A stream waits for the nodes that have computed these gradients on other ones, and for nothing else."""
    for other in {s.gradient_on for s in storages if s.gradient_on is not None} - {stream}:
        stream_waits(stream, other)


def note(stream: int, storages: Iterable[Storage]) -> None:
    """Something is made or written on a stream. Of what a node of the backward pass does, its successors are told."""
    if torch._C._current_graph_task_id() != -1 and not state.LOCAL.in_hook:
        for storage in storages:
            storage.gradient_on = stream


def stream_for(device: int, storages: Iterable[Storage]) -> int:
    """Where an operation on these storages runs now."""
    node = torch._C._current_autograd_node()
    stream, default = state.LOCAL.streams[device], state.DEFAULT_STREAMS[device]
    if node is None:
        if stream != default and torch.is_grad_enabled():
            made = torch._C._autograd._get_sequence_nr()  # type: ignore[attr-defined]
            if made > state.LOCAL.nodes:  # else the last node is of another stream, and this operation has none
                state.LOCAL.forward[made - 1] = stream
        return stream
    if stream != default:  # a hook's own ``with stream``
        return stream
    stream = state.LOCAL.forward.get(node._sequence_nr(), default)
    stream = stream if stream // STREAMS == device else default
    if not state.LOCAL.in_hook:
        _order(stream, storages)
    joined = torch._C._current_graph_task_id(), stream
    if stream != default and getattr(state.LOCAL, "joined", None) != joined:
        state.LOCAL.joined = joined  # type: ignore[attr-defined]
        torch.autograd.Variable._execution_engine.queue_callback(lambda: stream_waits(default, stream))  # type: ignore[attr-defined]
    return stream


def keep_for_the_end(error: BaseException) -> None:
    """An exception inside the backward pass; the first one is raised when the pass has ended."""
    if getattr(state.LOCAL, "failed", None) is None:
        state.LOCAL.failed = error  # type: ignore[attr-defined]


def _ready(given: Iterable[Any]) -> None:
    """The stream of the node waits for the gradient that a hook is called for."""
    for tensor in given:
        for one in (tensor, tensor.grad if isinstance(tensor, torch.Tensor) and tensor.is_leaf else None):
            if isinstance(one, SimTensor):
                stream_for(one._storage.device, [one._storage])


def guarded(hook: Callable[..., Any]) -> Callable[..., Any]:
    """A hook of the backward pass finds the gradient computed, on the stream of its node.

    What it does itself nobody orders but it, as on CUDA.

    Returns:
        The hook, so wrapped.
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
    """The backward pass in the thread that calls it.

    The engine's own threads are sized by C++'s ``deviceCount()``, which is 1 for a backend in Python. The pass begins
    on the default streams, as in CUDA's threads, and the stream that the caller is on waits for it at the end.

    Returns:
        PyTorch's function, so wrapped.
    """

    @functools.wraps(run)
    def backward(*args: Any, **kwargs: Any) -> Any:
        local = state.LOCAL
        outer, streams, in_hook = getattr(local, "failed", None), local.streams, local.in_hook
        local.failed, local.in_hook = None, False  # type: ignore[attr-defined]
        if state.Flags.side_streams:
            for given in args[1]:  # the gradients that the pass begins with
                if isinstance(given, SimTensor):
                    given._storage.gradient_on = streams[given._storage.device]
            local.streams = list(state.DEFAULT_STREAMS)
        try:
            with torch.autograd.set_multithreading_enabled(False):
                result = run(*args, **kwargs)
        except BaseException:
            if local.failed is not None:  # type: ignore[attr-defined]
                raise local.failed from None  # type: ignore[attr-defined]
            raise
        finally:
            failed, local.failed, local.streams = local.failed, outer, streams  # type: ignore[attr-defined]
            local.in_hook = in_hook
        if failed is not None:
            raise failed
        for device, stream in enumerate(streams):
            if stream != state.DEFAULT_STREAMS[device] and torch._C._current_autograd_node() is None:
                stream_waits(stream, state.DEFAULT_STREAMS[device])
        return result

    return backward
