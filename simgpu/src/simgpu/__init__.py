"""A GPU without a GPU: a PyTorch device with CUDA's asynchronous semantics, in a separate process.

    import simgpu
    device = "simgpu"
    gpu = torch.get_device_module(device)

Where CUDA is available nothing is registered, so that the same notebook runs with ``device = "cuda"``;
``simgpu.install()`` asks
for the simulated device all the same.
"""

import contextlib
import importlib
import os
from collections.abc import Iterator, Mapping
from typing import Any

from simgpu import versions

versions.check()

import torch  # noqa: E402

from simgpu.control import Control  # noqa: E402
from simgpu.cuda_patches import as_cuda  # noqa: E402
from simgpu.front import lines, threads  # noqa: E402
from simgpu.front import places as front_places  # noqa: E402
from simgpu.front.errors import DeviceLost, LateError  # noqa: E402
from simgpu.front.install import install  # noqa: E402
from simgpu.front.link import ENVIRONMENT, flush, link  # noqa: E402
from simgpu.front.tensor import SimTensor, Storage  # noqa: E402
from simgpu.records import Entry, Run  # noqa: E402
from simgpu.timeline import Timeline  # noqa: E402
from simgpu.wire import STREAMS, Spec  # noqa: E402

__version__ = "1.0.0"
__all__ = [
    "Control",
    "DeviceLost",
    "LateError",
    "adopt",
    "as_cuda",
    "call",
    "control",
    "flush",
    "handle",
    "install",
    "lines",
    "look",
    "mark",
    "timeline",
]

_control: list[Control] = []


def control() -> Control:
    """Return the judge's end of the device that this process has started.

    Returns:
        The same object each time.

    Raises:
        RuntimeError: another process has started the device and judges it.
    """
    if not _control:
        sock = link().judge_socket
        if sock is None:
            raise RuntimeError("simgpu: this device already has a judge in another process, and can have only one")
        _control.append(Control(sock, flush))
    return _control[0]


def timeline(since: Timeline | None = None, words: Mapping[str, str] | None = None) -> Timeline:
    """Return the timeline of the device: a notebook displays it, and it can write Chrome's trace format.

    Args:
        since: Only what came after this one.
        words: The picture's texts in another language, by their names, see :mod:`simgpu.words`.

    Returns:
        Commands, waits and gates, with the times of the device's clock in nanoseconds.
    """
    entries: list[Entry] = []
    runs: list[Run] = []
    skip = (since.read if since else 0), (since.ran if since else 0)
    while True:
        more, ran = link().call("log", since=skip[0] + len(entries), ran=skip[1] + len(runs))
        entries += [Entry.parse(e) for e in more]
        runs += [Run(*r) for r in ran]
        if not more and not ran:
            gates = control().gates() if link().judge_socket is not None else []
            read, places = (skip[0] + len(entries), skip[1] + len(runs)), front_places.noted()
            return Timeline(entries, runs, *read, gates, words or {}, places)


def mark(label: str) -> None:
    """Leave a mark in the log after this thread's earlier commands, without waiting.

    For pictures: the device cannot know who calls this, nor when. For a clock, an iterator or a callback in this
    process, a judge uses :func:`look`.

    Args:
        label: The name of the place; 60 characters of it are kept.
    """
    link().say("mark", label=str(label)[:60])


def look(tensor: torch.Tensor, place: int) -> Any:
    """Return a number, or a row, of a tensor that a judge provided for this, without waiting.

    The device notes in the log when the number was read. A judge can give its own code in this process numbers in this
    way (the readings of a clock, the branches of a program, the batches of an iterator); the log then shows from when
    on the program could know them.

    Args:
        tensor: The tensor that the judge has put.
        place: The index of the number, or of the row if there are several axes, from 0.

    Raises:
        ValueError: the judge has not put the tensor for this.
        IndexError: the index is out of range.
    """
    number, _ = handle(tensor)
    if not 0 <= place < len(tensor):
        raise IndexError("the index is out of range")
    found = link().call("look", storage=number, place=int(place))
    if found is None:
        raise ValueError("look can read only arrays that a judge has put on the device with look=True")
    return found


@contextlib.contextmanager
def call() -> Iterator[None]:
    """Mark a call of a student's function for the device; an engine uses this around each call.

    At its end, waits of the function's threads no longer open gates, and freed tensors are reported.
    """
    threads.begin_here()
    link().begin_call()
    try:
        yield
    finally:
        link().say("call", begins=False)


def handle(tensor: torch.Tensor) -> tuple[int, list[Any]]:
    """Return a tensor as plain data for a judge: its storage's number and its layout."""
    if not isinstance(tensor, SimTensor):
        raise TypeError(f"a tensor on {tensor.device} has no storage on the device")
    return tensor._storage.number, tensor._spec.json()


def adopt(number: int, spec: list[Any], device: int = 0) -> torch.Tensor:
    """Return a tensor for an array that a judge has put on a device."""
    install()
    layout = Spec.parse(spec)
    storage = Storage(device * STREAMS, layout.nbytes, counted=0, number=number)
    return SimTensor.at(storage, layout)


def __getattr__(name: str) -> Any:
    if name in ("distributed", "races"):  # slow imports: loaded on first use
        return importlib.import_module(f"simgpu.{name}")
    raise AttributeError(f"module 'simgpu' has no attribute {name!r}")


if ENVIRONMENT in os.environ or not torch.cuda.is_available():
    install()
