"""The kinds of suspicious acts, and which acts Python itself reports while they happen.

A new one is a kind in :data:`KINDS`, a sentence ``act_<kind>`` in core/texts.py, and what finds it: an event below, or
a comparison after each request in :mod:`.integrity`.
"""

import os
import re
from dataclasses import dataclass
from types import FunctionType
from typing import Any, Callable, Optional

from .inside_engine import Guarded

# The kinds of acts that the integrity monitor reports.  The judge treats a report with another kind as forged.
KINDS = frozenset(
    "patched transformer display tracing search memory kernel probe files environment signals processes blinded".split()
)

# Private references: student code may replace the attributes later.
_getpid, _abspath, _fsdecode = os.getpid, os.path.abspath, os.fsdecode
_is_memory = re.compile(r"/proc/.*/mem").fullmatch

CELL = "ipykernel_"  # part of the file name that ipykernel gives to each cell
ANY = ("",)  # the beginning of every module's name
FRAMES = {"tb_frame", "gi_frame", "cr_frame", "ag_frame"}
CODE = {"__code__", "__defaults__", "__kwdefaults__"}
LOW_LEVEL = ("Py", "_Py", "ptrace", "process_vm_")  # beginnings of names in a library; the engine has more
Found = Optional[tuple[str, str]]  # the kind of an act, and its object


@dataclass(frozen=True)
class WatchedEvent:
    """An event of Python that may be suspicious."""

    find: Callable[[tuple[Any, ...]], Found]  # returns what was done from the event's arguments, or None
    through: tuple[str, ...] = ()  # see :meth:`probe.audit_hook.Notebook.is_behind`


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
    """A connected path is a socket of this machine; a tuple would be a network address."""
    return ("kernel", "a Unix socket") if isinstance(arguments[1], (str, bytes)) else None


def _killed(arguments: tuple[Any, ...]) -> Found:
    process = arguments[0]
    return ("signals", f"signal {int(arguments[1])}") if process <= 1 or process == _getpid() else None


def watched_events(private: str, guarded: Guarded) -> dict[str, WatchedEvent]:
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
        "gc.get_objects": WatchedEvent(_always("search", "gc.get_objects")),
        "gc.get_referrers": WatchedEvent(_always("search", "gc.get_referrers")),
        "gc.get_referents": WatchedEvent(_always("search", "gc.get_referents")),
        "sys._getframe": WatchedEvent(_always("search", "sys._getframe"), ("inspect",)),
        "sys._current_frames": WatchedEvent(_always("search", "sys._current_frames")),
        "object.__getattr__": WatchedEvent(_attribute_read),
        "object.__setattr__": WatchedEvent(_attribute_set),
        "sys.settrace": WatchedEvent(_always("tracing", "sys.settrace"), ("threading",)),
        "sys.addaudithook": WatchedEvent(_always("tracing", "sys.addaudithook")),
        "ctypes.cdata": WatchedEvent(_always("memory", "ctypes: from_address")),
        "ctypes.string_at": WatchedEvent(_always("memory", "ctypes: string_at"), ("ctypes",)),
        "ctypes.PyObj_FromPtr": WatchedEvent(_always("memory", "ctypes: PyObj_FromPtr")),
        "ctypes.dlopen": WatchedEvent(library_opened, ("ctypes",)),
        "ctypes.dlsym": WatchedEvent(symbol_found, ("ctypes",)),
        "import": WatchedEvent(_imported, ANY),
        "open": WatchedEvent(opened, ANY),
        "os.system": WatchedEvent(ran, ANY),
        "os.exec": WatchedEvent(ran, ANY),
        "os.posix_spawn": WatchedEvent(ran, ANY),
        "subprocess.Popen": WatchedEvent(ran, ANY),
        "os.fork": WatchedEvent(_always("processes", "os.fork")),
        "os.kill": WatchedEvent(_killed),
        "signal.pthread_kill": WatchedEvent(_always("signals", "signal.pthread_kill")),
        "socket.connect": WatchedEvent(_connected),
    }
