"""Page-locked host memory: segments mapped by all processes, so that a copy touches them when it runs."""

import mmap
import os
import re
from collections.abc import Callable

import torch

from simgpu import system
from simgpu.device.channel import Thing
from simgpu.frames import BadMessage
from simgpu.wire import Spec

MOST_SEGMENTS = 50_000
"""Each segment is a memory map of the process, and Linux allows 65,530 of them."""
NAME = r"simgpu-[0-9a-f]{16}"


class PinnedMemory:
    """The segments of one device.

    Args:
        most: Bytes of all.
        give: Gives one to the kernel process: all its bytes, and its file descriptor where it has one.
    """

    def __init__(self, most: int, give: Callable[[torch.Tensor, int | None], Thing]) -> None:
        self.most, self.nbytes, self._made, self._give = most, 0, 0, give
        self._segments: dict[int, tuple[torch.Tensor, Thing]] = {}
        self._names: list[str] = []

    def make(self, nbytes: object, name: object = None) -> tuple[int, int | None] | None:
        """Create a segment if it fits.

        Args:
            nbytes: Its size.
            name: The name by which the front end maps it, if its socket cannot pass descriptors.

        Returns:
            Its number, and a file descriptor for the front end to map it if it has no name; None if it does not fit.

        Raises:
            BadMessage: the size or the name is invalid.
        """
        if name is not None and not (isinstance(name, str) and re.fullmatch(NAME, name)):
            raise BadMessage("invalid name of pinned memory")
        if type(nbytes) is not int or nbytes <= 0:
            raise BadMessage("invalid size of pinned memory")
        if nbytes > self.most - self.nbytes or len(self._segments) >= MOST_SEGMENTS:
            return None
        try:
            segment, fd = _sealed(nbytes) if name is None else system.make_named(name, nbytes)
        except OSError:
            return None
        if name is not None:
            self._names.append(name)
        whole = torch.frombuffer(segment, dtype=torch.uint8)  # it keeps the mapping
        try:
            self._segments[self._made] = whole, self._give(whole, fd)
        finally:
            if name is not None and fd is not None:  # the front end maps it by name
                os.close(fd)
                fd = None
        self._made += 1
        self.nbytes += nbytes
        return self._made - 1, fd

    def forget(self, number: object) -> None:
        """Release a segment for the front end. A copy of it that has not run yet fails.

        Raises:
            BadMessage: there is no such segment.
        """
        if type(number) is not int or number not in self._segments:
            raise BadMessage("unknown segment of pinned memory")
        self.nbytes -= len(self._segments.pop(number)[0])

    def end(self) -> None:
        """Remove names left by a killed front end."""
        for name in self._names:
            system.forget_name(name)

    def check(self, number: object, offset: object, nbytes: int) -> None:
        """Check a place in pinned memory. Raises BadMessage if it is not in a segment."""
        segment = self._segments.get(number) if type(number) is int else None
        if segment is None or type(offset) is not int or not 0 <= offset <= len(segment[0]) - nbytes:
            raise BadMessage("invalid place in pinned memory")

    def view(self, number: int, offset: int, spec: Spec) -> torch.Tensor:
        """Return a contiguous tensor with a spec's dtype and sizes on a segment.

        Raises:
            RuntimeError: it has been given back since.
        """
        if not spec.numel:
            return torch.empty(spec.size, dtype=spec.dtype)
        nbytes = spec.numel * spec.dtype.itemsize
        return self._segment(number)[0][offset : offset + nbytes].view(spec.dtype).view(spec.size)

    def place(self, number: int) -> int:
        """Return the kernel process's number of a segment. Raises RuntimeError if it was freed meanwhile."""
        return self._segment(number)[1].number

    def _segment(self, number: int) -> tuple[torch.Tensor, Thing]:
        found = self._segments.get(number)
        if found is None:
            raise RuntimeError("its pinned memory has been freed")
        return found


def _sealed(nbytes: int) -> tuple[mmap.mmap, int]:
    """Create memory and its file descriptor, sealed so that neither side can shrink it in use."""
    fd = os.memfd_create("pinned", os.MFD_ALLOW_SEALING | os.MFD_CLOEXEC)
    try:
        os.ftruncate(fd, nbytes)
        system.seal(fd)
        return mmap.mmap(fd, nbytes), fd
    except OSError:
        os.close(fd)
        raise
