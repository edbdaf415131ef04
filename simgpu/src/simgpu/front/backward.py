"""Streams of the backward pass: each operation runs on the stream of its forward, as autograd does on CUDA."""

import functools
from collections.abc import Callable, Iterable
from typing import Any

import torch

from simgpu.frames import Kind, json_message
from simgpu.front import state
from simgpu.front.link import link
from simgpu.front.tensor import Storage
from simgpu.wire import STREAMS

_forward: dict[int, int] = {}
"""The stream of each autograd node, by its sequence number, where it is not the default one."""


def stream_waits(stream: int, other: int) -> None:
    """A stream waits for what has been launched on another; the host does not."""
    connection = link()
    ticket = connection.post(Kind.RECORD, json_message(Kind.RECORD, {"stream": other}))
    connection.post(Kind.STREAM_WAIT, json_message(Kind.STREAM_WAIT, {"stream": stream, "ticket": ticket}))


def stream_for(device: int, storages: Iterable[Storage]) -> int:
    """Where an operation on these storages runs now."""
    node = torch._C._current_autograd_node()
    stream, default = state.LOCAL.streams[device], state.DEFAULT_STREAMS[device]
    if node is None:
        if stream != default and torch.is_grad_enabled():
            _forward[torch._C._autograd._get_sequence_nr() - 1] = stream  # type: ignore[attr-defined]
        return stream
    if stream != default:  # a hook's own ``with stream``
        return stream
    stream = _forward.get(node._sequence_nr(), default)
    stream = stream if stream // STREAMS == device else default
    for other in {s.stream for s in storages} - {stream}:
        stream_waits(stream, other)
    joined = torch._C._current_graph_task_id(), stream
    if stream != default and getattr(state.LOCAL, "joined", None) != joined:
        state.LOCAL.joined = joined  # type: ignore[attr-defined]
        torch.autograd.Variable._execution_engine.queue_callback(lambda: stream_waits(default, stream))  # type: ignore[attr-defined]
    return stream


def in_this_thread(run: Callable[..., Any]) -> Callable[..., Any]:
    """The backward pass in the thread that calls it.

    The engine's own threads are sized by C++'s ``deviceCount()``, which is 1 for a backend in Python. The pass begins on the
    default streams, as in CUDA's threads, and the stream that the caller is on waits for it at the end.
    """

    @functools.wraps(run)
    def backward(*args: Any, **kwargs: Any) -> Any:
        if not state.Flags.side_streams:
            with torch.autograd.set_multithreading_enabled(False):
                return run(*args, **kwargs)
        streams, state.LOCAL.streams = state.LOCAL.streams, list(state.DEFAULT_STREAMS)
        try:
            with torch.autograd.set_multithreading_enabled(False):
                return run(*args, **kwargs)
        finally:
            state.LOCAL.streams = streams
            for device, stream in enumerate(streams):
                if stream != state.DEFAULT_STREAMS[device] and torch._C._current_autograd_node() is None:
                    stream_waits(stream, state.DEFAULT_STREAMS[device])

    return backward
