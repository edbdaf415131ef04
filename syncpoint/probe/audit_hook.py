"""An audit hook: Python reports the acts of :mod:`.acts` as they happen, and the code that caused them."""

import os
import sys
import threading
from types import FrameType
from typing import Any, Callable, Optional

from .acts import CELL, watched_events
from .inside_engine import Guarded

# Private references: student code may replace the attributes later.
_getframe = sys._getframe
_Local = threading.local


class Notebook:
    """Knows which code is the student's: cells, what cells compile, and modules that cells wrote.

    Files in the notebook's home folder are the instructor's as long as no cell has run.
    """

    def __init__(self, namespace: dict[str, Any], home: str):
        self._namespace = namespace
        self._home = os.path.join(home, "")
        self._given = tuple(os.path.join(home, name) for name in os.listdir(home))

    def wrote(self, frame: FrameType) -> bool:
        """Whether this frame runs code of the notebook."""
        if frame.f_globals is self._namespace:
            return True
        name = frame.f_code.co_filename
        return CELL in name or (name.startswith(self._home) and not name.startswith(self._given))

    def is_behind(self, frame: Optional[FrameType], through: tuple[str, ...] = ()) -> bool:
        """Whether the notebook's code is the caller, with only modules named ``through`` in between."""
        while frame is not None:
            if self.wrote(frame):
                return True
            # Tracebacks and warnings show lines of any file.
            module = str(frame.f_globals.get("__name__"))
            if not module.startswith(through) or module in ("linecache", "tokenize"):
                return False
            frame = frame.f_back
        return False


def listen(notebook: Notebook, private: str, guarded: Guarded, note: Callable[[str, str], None]) -> None:
    """Note each suspicious act of the notebook, its kind and name, until this process ends.

    ``private`` is the folder of the probe, ``guarded`` the guarded parts of the engine.
    """
    find_event = watched_events(private, guarded).get
    inside = _Local()  # the hook's own actions raise events as well

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        watched = find_event(event)
        if watched is None or getattr(inside, "hook", False):
            return
        inside.hook = True
        try:
            found = watched.find(arguments)
            if found is not None and notebook.is_behind(_getframe(1), watched.through):
                note(*found)
        except Exception:
            pass  # student code must not fail because it is watched
        finally:
            inside.hook = False

    sys.addaudithook(hook)
