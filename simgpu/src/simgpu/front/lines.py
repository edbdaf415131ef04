"""Records which line of a notebook's cell enqueued each command, for a judge's messages; only inside `noted`."""

import contextlib
from collections.abc import Iterator

from simgpu.front.link import link
from simgpu.front.places import here

Lines = list[tuple[int, int]]
"""The number of a command, and the line that enqueued it and the commands after it; 0 for none."""


@contextlib.contextmanager
def noted(end: str = "") -> Iterator[Lines]:
    """Yield a list that receives the line of each command sent in the block.

    Args:
        end: The beginning of the names of the judge's modules: a cell that calls the judge enqueues nothing.
    """
    found: Lines = []

    def note(number: int) -> None:
        line, file = here(end)
        line = 0 if file else line
        if line != (found[-1][1] if found else 0):
            found.append((number, line))
        if before is not None:
            before(number)

    before, link().note = link().note, note
    try:
        yield found
    finally:
        link().note = before
