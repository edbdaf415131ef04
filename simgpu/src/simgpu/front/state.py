"""The devices, and each thread's current device and streams."""

import threading
from collections.abc import Iterable, Mapping
from typing import Any

import torch

from simgpu.limits import Limits
from simgpu.wire import STREAMS

NAME, PLACE, TYPE = "simgpu", "torch", 20
"""What Python sees: the device's name, the module of its streams, PyTorch's number for the kind of device."""
IN_ERRORS = "simgpu"
"""What messages that programs look for, as PyTorch words them for CUDA, call the kind of device."""
OURS = {"simgpu"}
"""The names that a program may use for the device."""
DEVICES: list[torch.device] = []
IN_CPP: list[torch.device] = []
"""The same devices under the name that C++ uses, whatever Python sees."""
DEFAULT_STREAMS: list[int] = []


class NotSimulated(NotImplementedError, AttributeError):
    """A CUDA feature that is refused by name; ``hasattr`` and ``getattr`` with a default find nothing."""


class Local(threading.local):
    """Each thread's current device, and each device's current stream.

    Attributes:
        autocast: Whether autocast is on for the device.
        forward: The streams of autograd's nodes by sequence number, which each thread counts separately; default
            streams are left out.
        failed: The exception that a hook of the backward pass raised, until the pass ends.
        in_hook: Whether the thread runs a hook of the backward pass.
        nodes: How many nodes the thread had made when it last changed its stream.
        running: The backward pass that runs in this thread.
        streams: The current stream of each device; None means the stream of the backward pass's node.
    """

    device = nodes = 0
    autocast = in_hook = False
    failed: BaseException | None = None
    running: Any = None

    def __init__(self) -> None:
        self.streams: list[int | None] = list(DEFAULT_STREAMS)
        self.forward: dict[int, int] = {}

    def change(self, device: int, streams: Mapping[int, int | None]) -> None:
        """Set the current device, and the current streams of these devices."""
        self.device = device
        for index, stream in streams.items():
            self.streams[index] = stream
        self.nodes = torch._C._autograd._get_sequence_nr()  # type: ignore[attr-defined]


LOCAL = Local()


class Entered:
    """Each thread's state when it entered a context; contexts are left in reverse order.

    One context may be entered again before it is left, and by several threads.
    """

    def __init__(self) -> None:
        self._before: dict[int, list[tuple[int, dict[int, int | None]]]] = {}

    def enter(self, device: int, streams: Mapping[int, int | None], keep: Iterable[int] = ()) -> None:
        """Change the current device and streams.

        Args:
            device: The current one from here on.
            streams: The current streams from here on, by their devices.
            keep: Further devices whose streams of now come back.
        """
        before = LOCAL.device, {index: LOCAL.streams[index] for index in (*keep, *streams)}
        self._before.setdefault(threading.get_ident(), []).append(before)
        LOCAL.change(device, streams)

    def leave(self) -> None:
        """Restore the state at this thread's entry; a generator may leave in another thread.

        Raises:
            RuntimeError: the context was not entered.
        """
        thread = threading.get_ident()
        if thread not in self._before:
            thread = next(iter(tuple(self._before)), thread)
        if thread not in self._before:
            raise RuntimeError("this context was exited more often than it was entered")
        LOCAL.change(*self._before[thread].pop())
        if not self._before[thread]:
            del self._before[thread]


class Flags:
    """The process's state.

    Attributes:
        side_streams: Somebody has made a stream: operations must look which streams their inputs come from.
        sync_debug: 0, 1 (warn) or 2 (raise), of ``set_sync_debug_mode``.
    """

    side_streams = False
    sync_debug = 0


def set_up(limits: Limits) -> None:
    """Name the devices, once PyTorch knows the backend."""
    DEVICES[:] = [torch.device(NAME, d) for d in range(limits.devices)]
    IN_CPP[:] = DEVICES
    DEFAULT_STREAMS[:] = [d * STREAMS for d in range(limits.devices)]
    LOCAL.streams = list(DEFAULT_STREAMS)


def keep(count: int) -> None:
    """Forget all devices but the first ones, which have not been used yet."""
    for devices in (DEVICES, IN_CPP, DEFAULT_STREAMS, LOCAL.streams):
        del devices[count:]


def index_of(device: Any) -> int:
    """Return the index of a device; by default the thread's current one.

    Returns:
        Its number, from 0 on.

    Raises:
        RuntimeError: it is not there.
        ValueError: it is not a simulated device.
    """
    if device is None:
        return LOCAL.device
    if not isinstance(device, int):
        device = torch.device(device)
        if device.type not in OURS:
            raise ValueError(f"Expected a {NAME} device, but got: {device}")
        device = LOCAL.device if device.index is None else device.index
    if not 0 <= device < len(DEVICES):
        raise RuntimeError(f"simgpu: invalid device ordinal {device}; there are {len(DEVICES)} devices")
    return int(device)


def named(device: torch.device) -> torch.device:
    """Return a device with its index, if it is simulated."""
    return DEVICES[index_of(device)] if device.type in OURS else device
