"""Which line of a notebook's cell has enqueued a command, for messages: noted while somebody asks for it."""

import contextlib
import sys
import threading
from collections.abc import Iterator
from types import FrameType

from simgpu.front.link import link

Lines = list[tuple[int, int]]
"""The number of a command, and the line of it and of those behind it; 0 for none."""


def line_of(frame: FrameType | None) -> int:
    """The innermost line of a cell that called this frame; 0 if there is none."""
    while frame is not None:
        name = frame.f_code.co_filename
        if "ipykernel_" in name or name.startswith("<ipython-input"):
            return frame.f_lineno
        frame = frame.f_back
    return 0


def here() -> int:
    """The line that is at work; what autograd's threads do is of the line for which the main thread waits."""
    line = line_of(sys._getframe(2))
    main = threading.main_thread().ident
    if not line and threading.get_ident() != main and main is not None:
        line = line_of(sys._current_frames().get(main))
    return line


@contextlib.contextmanager
def noted() -> Iterator[Lines]:
    """The lines of the commands that are sent in the block, as they are sent."""
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
