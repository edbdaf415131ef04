"""Page-locked host memory: segments that both processes map, so that a copy touches them when it runs."""

import fcntl
import mmap
import os
import tempfile

import torch

from simgpu.frames import BadMessage
from simgpu.wire import Spec

_ADD_SEALS, _SEAL_SEAL, _SEAL_SHRINK, _SEAL_GROW = 1033, 1, 2, 4


class PinnedMemory:
    """The segments of one device process. A segment is never given back: the front end uses it again."""

    def __init__(self, most: int) -> None:
        self.most, self.nbytes = most, 0
        self._segments: list[tuple[mmap.mmap, torch.Tensor]] = []

    def make(self, nbytes: object) -> tuple[int, int]:
        """Make a segment.

        Returns:
            Its number, and a file descriptor for the front end to map it by.

        Raises:
            BadMessage: there would be too much.
        """
        if type(nbytes) is not int or not 0 < nbytes <= self.most - self.nbytes:
            raise BadMessage(f"more than {self.most} bytes of pinned memory")
        fd = _file(nbytes)
        segment = mmap.mmap(fd, nbytes)
        self._segments.append((segment, torch.frombuffer(segment, dtype=torch.uint8)))
        self.nbytes += nbytes
        return len(self._segments) - 1, fd

    def check(self, number: object, offset: object, nbytes: int) -> None:
        """Raises BadMessage for a place that is not in a segment."""
        known = type(number) is int and 0 <= number < len(self._segments)
        if not (known and type(offset) is int and 0 <= offset <= len(self._segments[number][0]) - nbytes):  # type: ignore[call-overload]
            raise BadMessage("a place in pinned memory")

    def view(self, number: int, offset: int, spec: Spec) -> torch.Tensor:
        """A contiguous tensor of a spec's dtype and sizes on a segment."""
        if not spec.numel:
            return torch.empty(spec.size, dtype=spec.dtype)
        return torch.frombuffer(self._segments[number][0], dtype=spec.dtype, offset=offset, count=spec.numel).view(
            spec.size
        )


def _file(nbytes: int) -> int:
    """Memory with a file descriptor.

    It is sealed where there is memfd, so that nobody can shrink it under the other's feet.

    Returns:
        The descriptor.
    """
    if hasattr(os, "memfd_create"):
        fd = os.memfd_create("pinned", os.MFD_ALLOW_SEALING | os.MFD_CLOEXEC)
        os.ftruncate(fd, nbytes)
        fcntl.fcntl(fd, _ADD_SEALS, _SEAL_SEAL | _SEAL_SHRINK | _SEAL_GROW)
        return fd
    with tempfile.TemporaryFile() as file:
        file.truncate(nbytes)
        return os.dup(file.fileno())
