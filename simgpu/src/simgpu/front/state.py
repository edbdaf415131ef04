"""Which devices there are, and which device and streams are each thread's current ones."""

import threading
from typing import Any

import torch

from simgpu.limits import Limits
from simgpu.wire import STREAMS

NAME = "simgpu"
DEVICES: list[torch.device] = []
DEFAULT_STREAMS: list[int] = []


class Local(threading.local):
    """Of each thread: the current device, and each device's current stream.

    Attributes:
        forward: The streams of autograd's nodes by their sequence numbers, which each thread counts by itself; those
            of default streams are left out.
        in_hook: It runs a hook of the backward pass.
        nodes: How many nodes the thread had made when it last changed its stream.
    """

    device = nodes = 0
    in_hook = False

    def __init__(self) -> None:
        self.streams = list(DEFAULT_STREAMS)
        self.forward: dict[int, int] = {}

    def change(self, device: int, changed: int, stream: int) -> None:
        """From here on ``device`` is the current one, and ``stream`` the current one of device ``changed``."""
        self.device, self.streams[changed] = device, stream
        self.nodes = torch._C._autograd._get_sequence_nr()  # type: ignore[attr-defined]


LOCAL = Local()


class Flags:
    """What is true of the process.

    Attributes:
        side_streams: Somebody has made a stream: operations must look which streams their inputs come from.
        sync_debug: 0, 1 (warn) or 2 (raise), of ``set_sync_debug_mode``.
    """

    side_streams = False
    sync_debug = 0


def set_up(limits: Limits) -> None:
    """Name the devices, once PyTorch knows the backend."""
    DEVICES[:] = [torch.device(NAME, d) for d in range(limits.devices)]
    DEFAULT_STREAMS[:] = [d * STREAMS for d in range(limits.devices)]
    LOCAL.streams = list(DEFAULT_STREAMS)


def index_of(device: Any) -> int:
    """Which of our devices is meant; none said is the thread's current one.

    Returns:
        Its number, from 0 on.

    Raises:
        RuntimeError: it is not there.
        ValueError: it is no device of ours.
    """
    if device is None:
        return LOCAL.device
    if not isinstance(device, int):
        device = torch.device(device)
        if device.type != NAME:
            raise ValueError(f"Expected a {NAME} device, but got: {device}")
        device = LOCAL.device if device.index is None else device.index
    if not 0 <= device < len(DEVICES):
        raise RuntimeError(f"simgpu: invalid device ordinal {device}; there are {len(DEVICES)} devices")
    return int(device)


def named(device: torch.device) -> torch.device:
    """With its index, if it is ours."""
    return DEVICES[index_of(device)] if device.type == NAME else device


def current_stream_number(device: int | None = None) -> int:
    """The stream that this thread launches on."""
    return LOCAL.streams[LOCAL.device if device is None else device]
