"""One simulated GPU for one notebook: loaded once, and forked for each."""

from dataclasses import replace

from simgpu.device.process import serve as serve_device
from simgpu.device.warm import warm
from simgpu.limits import Limits
from simgpu.transport import inherited

PINNED = 256 << 20  # bytes of page-locked memory, a resource that all processes share
LIMITS = replace(Limits(), pinned=PINNED)

warm()


def serve(front_end: int, judge: int, memory: int) -> None:
    """Be a device until both sockets, of the student's side and the judge, are closed.

    Each of its devices has ``memory`` bytes.  The sockets are inherited, and must be Unix sockets, else NotForGrading.
    """
    serve_device(inherited(front_end), inherited(judge), replace(LIMITS, memory=memory))
