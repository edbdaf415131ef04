"""Page-locked host memory: segments that all processes map, so that a copy touches them when it runs."""

import fcntl
import mmap
import os
import tempfile
from collections.abc import Callable

import torch

from simgpu.device.channel import Thing
from simgpu.frames import BadMessage
from simgpu.wire import Spec

MOST_SEGMENTS = 50_000
"""Each is a map of the process, of which Linux lets it have 65,530."""
_ADD_SEALS, _SEAL_SEAL, _SEAL_SHRINK, _SEAL_GROW = 1033, 1, 2, 4


class PinnedMemory:
    """The segments of one device.

    Args:
        most: Bytes of all.
        give: Gives one to the kernel process: its size and its file descriptor.
    """

    def __init__(self, most: int, give: Callable[[int, int], Thing]) -> None:
        self.most, self.nbytes, self._made, self._give = most, 0, 0, give
        self._segments: dict[int, tuple[torch.Tensor, Thing]] = {}

    def make(self, nbytes: object) -> tuple[int, int] | None:
        """Make a segment, if there is room for it.

        Returns:
            Its number, and a file descriptor for the front end to map it by; None if there is no room.

        Raises:
            BadMessage: it is no size.
        """
        if type(nbytes) is not int or nbytes <= 0:
            raise BadMessage("a size of pinned memory")
        if nbytes > self.most - self.nbytes or len(self._segments) >= MOST_SEGMENTS:
            return None
        try:
            fd = _file(nbytes)
        except OSError:
            return None
        try:
            segment = mmap.mmap(fd, nbytes)
        except OSError:
            os.close(fd)
            return None
        whole = torch.frombuffer(segment, dtype=torch.uint8)  # it keeps the map
        self._segments[self._made] = whole, self._give(nbytes, fd)
        self._made += 1
        self.nbytes += nbytes
        return self._made - 1, fd

    def forget(self, number: object) -> None:
        """The front end gives a segment back. A copy of it that has not run yet fails.

        Raises:
            BadMessage: there is no such segment.
        """
        if type(number) is not int or number not in self._segments:
            raise BadMessage("a segment of pinned memory")
        self.nbytes -= len(self._segments.pop(number)[0])

    def check(self, number: object, offset: object, nbytes: int) -> None:
        """Raises BadMessage for a place that is not in a segment."""
        segment = self._segments.get(number) if type(number) is int else None
        if segment is None or type(offset) is not int or not 0 <= offset <= len(segment[0]) - nbytes:
            raise BadMessage("a place in pinned memory")

    def view(self, number: int, offset: int, spec: Spec) -> torch.Tensor:
        """A contiguous tensor of a spec's dtype and sizes on a segment.

        Raises:
            RuntimeError: it has been given back since.
        """
        if not spec.numel:
            return torch.empty(spec.size, dtype=spec.dtype)
        nbytes = spec.numel * spec.dtype.itemsize
        return self._segment(number)[0][offset : offset + nbytes].view(spec.dtype).view(spec.size)

    def place(self, number: int) -> int:
        """What the kernel process calls a segment; RuntimeError, if it has been given back since."""
        return self._segment(number)[1].number

    def _segment(self, number: int) -> tuple[torch.Tensor, Thing]:
        found = self._segments.get(number)
        if found is None:
            raise RuntimeError("its pinned memory has been given back")
        return found


def _file(nbytes: int) -> int:
    """Memory with a file descriptor.

    It is sealed where there is memfd, so that nobody can shrink it under the other's feet.
    """
    if hasattr(os, "memfd_create"):
        fd = os.memfd_create("pinned", os.MFD_ALLOW_SEALING | os.MFD_CLOEXEC)
        os.ftruncate(fd, nbytes)
        fcntl.fcntl(fd, _ADD_SEALS, _SEAL_SEAL | _SEAL_SHRINK | _SEAL_GROW)
        return fd
    with tempfile.TemporaryFile() as file:
        file.truncate(nbytes)
        return os.dup(file.fileno())
