"""Records which line of a notebook's cell enqueued each command, for messages; only inside `noted`."""

import contextlib
import sys
import threading
from collections.abc import Iterator
from types import FrameType

from simgpu.front.link import link

Lines = list[tuple[int, int]]
"""The number of a command, and the line that enqueued it and the commands after it; 0 for none."""


def line_of(frame: FrameType | None) -> int:
    """Return the innermost line of a cell that called this frame; 0 if there is none."""
    while frame is not None:
        name = frame.f_code.co_filename
        if "ipykernel_" in name or name.startswith("<ipython-input"):
            return frame.f_lineno
        frame = frame.f_back
    return 0


def here() -> int:
    """Return the line that is running.  Work in threads of autograd belongs to the line where the main thread waits."""
    line = line_of(sys._getframe(2))
    main = threading.main_thread().ident
    if not line and threading.get_ident() != main and main is not None:
        line = line_of(sys._current_frames().get(main))
    return line


@contextlib.contextmanager
def noted() -> Iterator[Lines]:
    """Yield a list that receives the line of each command sent in the block."""
    found: Lines = []

    def note(number: int) -> None:
        line = here()
        if line != (found[-1][1] if found else 0):
            found.append((number, line))

    link().note = note
    try:
        yield found
    finally:
        link().note = None
