"""Suspicious acts that Python itself reports while they happen: an audit hook that tells who was behind an event."""

import os
import re
import sys
import threading
from dataclasses import dataclass
from types import FrameType, FunctionType
from typing import Any, Callable, Optional

from .contract import Guarded

# Private references: student code may replace the attributes later.
_getframe, _getpid = sys._getframe, os.getpid
_abspath, _fsdecode = os.path.abspath, os.fsdecode
_is_memory = re.compile(r"/proc/.*/mem").fullmatch
_Local = threading.local

CELL = "ipykernel_"  # stands in the file name that ipykernel gives to each cell
ANY = ("",)  # every module's name begins with it
FRAMES = {"tb_frame", "gi_frame", "cr_frame", "ag_frame"}
CODE = {"__code__", "__defaults__", "__kwdefaults__"}
LOW_LEVEL = ("Py", "_Py", "ptrace", "process_vm_")  # names in a library; the engine has more

# The kinds of acts that the integrity monitor tells of.  The judge takes a report with another one for a forged one.
KINDS = frozenset(
    "patched transformer display tracing search memory kernel probe files environment signals processes blinded".split()
)
Found = Optional[tuple[str, str]]  # the kind of an act, and what it was done to


class Notebook:
    """Knows which code is the student's: cells, what cells compile, and modules that cells wrote.

    Args:
        namespace: The student's global variables.
        home: The folder of the notebook, whose files are the instructor's as long as no cell has run.
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
        """Whether code of the notebook is the caller, with nothing but modules named ``through`` in between."""
        while frame is not None:
            if self.wrote(frame):
                return True
            # Tracebacks and warnings show lines of any file.
            module = str(frame.f_globals.get("__name__"))
            if not module.startswith(through) or module in ("linecache", "tokenize"):
                return False
            frame = frame.f_back
        return False


@dataclass(frozen=True)
class Watched:
    """An event of Python that may be suspicious.

    Attributes:
        find: Tells from the arguments of the event what was done, or None.
        through: See :meth:`Notebook.is_behind`.
    """

    find: Callable[[tuple[Any, ...]], Found]
    through: tuple[str, ...] = ()


def _always(kind: str, name: str) -> Callable[[tuple[Any, ...]], Found]:
    return lambda arguments: (kind, name)


def _attribute_read(arguments: tuple[Any, ...]) -> Found:
    owner, name = arguments
    if name in FRAMES:
        return "search", name
    return ("search", "the probe's functions") if _is_ours(owner) else None


def _attribute_set(arguments: tuple[Any, ...]) -> Found:
    owner, name = arguments[:2]
    if name not in CODE or type(owner) is not FunctionType or CELL in owner.__code__.co_filename:
        return None
    return "patched", f"{owner.__module__}.{owner.__qualname__}"


def _is_ours(owner: Any) -> bool:
    return type(owner) is FunctionType and str(owner.__globals__.get("__package__")).split(".")[0] == __package__


def _imported(arguments: tuple[Any, ...]) -> Found:
    name = str(arguments[0])
    return ("probe", name) if name.partition(".")[0] in ("probe", "syncpoint") else None


def _connected(arguments: tuple[Any, ...]) -> Found:
    """A path is a socket of this machine; a tuple would be one of a network."""
    return ("kernel", "a Unix socket") if isinstance(arguments[1], (str, bytes)) else None


def _killed(arguments: tuple[Any, ...]) -> Found:
    process = arguments[0]
    return ("signals", f"signal {int(arguments[1])}") if process <= 1 or process == _getpid() else None


def watched_events(private: str, guarded: Guarded) -> dict[str, Watched]:
    """Return the events to listen to.

    Args:
        private: The folder of the probe.
        guarded: What of the engine is watched.
    """
    library, symbols = guarded.library, (*LOW_LEVEL, *guarded.symbols)

    def library_opened(arguments: tuple[Any, ...]) -> Found:
        return ("memory", f"ctypes: lib{library}") if library and library in str(arguments[0]) else None

    def symbol_found(arguments: tuple[Any, ...]) -> Found:
        name = str(arguments[1])
        return ("memory", f"ctypes: {name}") if name.startswith(symbols) else None

    def opened(arguments: tuple[Any, ...]) -> Found:
        if not isinstance(arguments[0], (str, bytes, os.PathLike)):
            return None
        path = _abspath(_fsdecode(arguments[0]))
        return ("files", path) if path.startswith(private) or _is_memory(path) else None

    def ran(arguments: tuple[Any, ...]) -> Found:
        return ("files", private) if private in str(arguments[:2])[:10_000] else None

    return {
        "gc.get_objects": Watched(_always("search", "gc.get_objects")),
        "gc.get_referrers": Watched(_always("search", "gc.get_referrers")),
        "gc.get_referents": Watched(_always("search", "gc.get_referents")),
        "sys._getframe": Watched(_always("search", "sys._getframe"), ("inspect",)),
        "sys._current_frames": Watched(_always("search", "sys._current_frames")),
        "object.__getattr__": Watched(_attribute_read),
        "object.__setattr__": Watched(_attribute_set),
        "sys.settrace": Watched(_always("tracing", "sys.settrace"), ("threading",)),
        "sys.addaudithook": Watched(_always("tracing", "sys.addaudithook")),
        "ctypes.cdata": Watched(_always("memory", "ctypes: from_address")),
        "ctypes.string_at": Watched(_always("memory", "ctypes: string_at"), ("ctypes",)),
        "ctypes.PyObj_FromPtr": Watched(_always("memory", "ctypes: PyObj_FromPtr")),
        "ctypes.dlopen": Watched(library_opened, ("ctypes",)),
        "ctypes.dlsym": Watched(symbol_found, ("ctypes",)),
        "import": Watched(_imported, ANY),
        "open": Watched(opened, ANY),
        "os.system": Watched(ran, ANY),
        "os.exec": Watched(ran, ANY),
        "os.posix_spawn": Watched(ran, ANY),
        "subprocess.Popen": Watched(ran, ANY),
        "os.fork": Watched(_always("processes", "os.fork")),
        "os.kill": Watched(_killed),
        "signal.pthread_kill": Watched(_always("signals", "signal.pthread_kill")),
        "socket.connect": Watched(_connected),
    }


def listen(notebook: Notebook, private: str, guarded: Guarded, note: Callable[[str, str], None]) -> None:
    """Have each suspicious act of the notebook noted, for the rest of this process's life.

    Args:
        notebook: Knows which code is the student's.
        private: The folder of the probe.
        guarded: What of the engine is guarded.
        note: Is called with the kind and the name of each act.
    """
    find_event = watched_events(private, guarded).get
    inside = _Local()  # what the hook itself does raises events, too

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
            pass  # student code must not fail of what watches it
        finally:
            inside.hook = False

    sys.addaudithook(hook)
