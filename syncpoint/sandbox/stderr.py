"""The standard error of a sandbox's processes: limited in size, and never on a disk."""

import contextlib
import os
from collections.abc import Iterator


class Stderr:
    """A pipe. Linux keeps its first 64 KiB until they are read; when full, it rejects more and blocks nobody."""

    def __init__(self) -> None:
        source, sink = os.pipe()
        for end in (source, sink):
            os.set_blocking(end, False)
        self._source: int | None = source
        self._sink: int | None = sink
        self._read = b""

    @contextlib.contextmanager
    def writing(self) -> Iterator[int]:
        """Yield the end for a process, once; afterwards this process no longer has it."""
        sink, self._sink = self._sink, None
        assert sink is not None
        try:
            yield sink
        finally:
            os.close(sink)

    def read(self) -> bytes:
        """Return everything written so far."""
        with contextlib.suppress(BlockingIOError):
            while self._source is not None and (more := os.read(self._source, 1 << 16)):
                self._read = (self._read + more)[-(1 << 16) :]
        return self._read

    def close(self) -> None:
        """Close the pipe and forget what was read."""
        for end in (self._source, self._sink):
            if end is not None:
                os.close(end)
        self._source, self._sink, self._read = None, None, b""
