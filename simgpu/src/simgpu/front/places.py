"""Finds the line of Python that is running, outside of PyTorch and of this package."""

import functools
import os
import sys
import sysconfig
from collections import deque
from types import FrameType

import torch

from simgpu.records import Place

MOST = 100_000
OURS = "simgpu.", "torch."
"""Lines of these modules are never reported."""
_LIBRARIES = tuple(
    os.path.join(folder, "")
    for folder in (
        *(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")),
        os.path.dirname(torch.__file__),
        os.path.dirname(os.path.dirname(__file__)),
    )
)
_noted: deque[Place] = deque(maxlen=MOST)
_names_of_ours: set[str] = set()


@functools.cache
def _is_cell(name: str) -> bool:
    return "ipykernel_" in name or name.startswith("<ipython-input")


@functools.cache
def _is_library(name: str) -> bool:
    return name.startswith(("<frozen ", "<eval_with_key", *_LIBRARIES))


def _place_of(frame: FrameType | None, end: str = "") -> tuple[int, str]:
    """Return the innermost line of a cell, else of code outside libraries, and its file; 0 if there is none.

    A frame of a module whose name begins with ``end`` ends the search.
    """
    found = 0, ""
    while frame is not None:
        module = frame.f_globals.get("__name__")
        if type(module) is str:  # Python reports each access to a code object to its audit hooks
            if module in _names_of_ours:
                frame = frame.f_back
                continue
            if module.startswith(OURS):
                _names_of_ours.add(module)
                continue
            if end and module.startswith(end):
                return found
        name = frame.f_code.co_filename
        if _is_cell(name):
            return frame.f_lineno, name
        if not found[0] and not _is_library(name):
            found = frame.f_lineno, name
        frame = frame.f_back
    return found


def here(end: str = "") -> tuple[int, str]:
    """Return the line that is running in this thread and its file, "" for a notebook's cell; line 0 if there is none.

    It does not look at other threads: ``sys._current_frames`` can deadlock in Python 3.11 (CPython's gh-106883).

    Args:
        end: A frame of a module whose name begins with this ends the search; "" for none.
    """
    line, file = _place_of(sys._getframe(1), end)
    return line, "" if _is_cell(file) else file


def _cell(name: str) -> str:
    """Return "Cell In[3]", as IPython's tracebacks call a cell; "" if IPython does not run it."""
    find = getattr(sys.modules.get("IPython"), "get_ipython", None)
    numbers = getattr(getattr(find and find(), "compile", None), "_filename_map", {})
    return f"Cell In[{numbers[name]}]" if name in numbers else ""


def note(number: int) -> None:
    """Note the line that sends a command."""
    line, file = _place_of(sys._getframe(1))
    if _is_cell(file):
        file = _cell(file)
    if not _noted or (last := _noted[-1]).line != line or last.file != file:
        _noted.append(Place(number, line, file))


def in_words(number: int) -> str:
    """Return " in line 7 of train.py" or " in line 7 of Cell In[3]" for a command whose line was noted, else ""."""
    before = [place for place in _noted if place.number <= number]
    if not number or not before or not before[-1].line:
        return ""
    file = f" of {os.path.basename(before[-1].file)}" if before[-1].file else ""
    return f" in line {before[-1].line}{file}"


def noted() -> list[Place]:
    """Return where commands came from, in their order: each place holds for the commands up to the next one."""
    return list(_noted)
