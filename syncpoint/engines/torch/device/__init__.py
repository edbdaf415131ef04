"""One simulated GPU for one notebook: loaded once, and forked for each."""

import socket
from dataclasses import replace

from simgpu.device.process import serve as serve_device
from simgpu.limits import Limits

PINNED = 256 << 20  # bytes of page-locked memory, which no process has for itself alone
LIMITS = replace(Limits(), pinned=PINNED)


def serve(front_end: int, judge: int, memory: int) -> None:
    """Be a device until both sockets are closed.  memory: bytes of each of its devices."""
    serve_device(socket.socket(fileno=front_end), socket.socket(fileno=judge), replace(LIMITS, memory=memory))
