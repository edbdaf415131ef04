"""Sandboxes that are ready for a notebook: starting one takes a second, cleaning one almost no time."""

import multiprocessing.util
import os
import threading

from .sandbox import Sandbox
from .signals import held_back
from .spec import SandboxSpec

# Each holds an engine, about 150 MiB. A notebook whose engine has its own process needs two, and a third if its graders
# open saved files in a separate sandbox.
MAX_IDLE_SANDBOXES = 4
idle_seconds = 60.0  # a program that has stopped grading needs no engine

_idle: list[Sandbox] = []  # the most recently used one is last
_lock = threading.Lock()
_closing: list[threading.Timer] = []
_ending: list[int] = []  # the process at whose end they end


def acquire(spec: SandboxSpec) -> Sandbox:
    """Return a sandbox of this kind without anything from another notebook. Raises OSError if the machine is full."""
    empty, thread = spec.empty, threading.get_ident()
    with _lock:
        _close_at_the_end()
        fit = (server for server in reversed(_idle) if (server.spec, server.thread) == (empty, thread))
        ready = next((server for server in fit if server.runs), None)
        if ready is not None:
            _idle.remove(ready)
    return ready or Sandbox(empty)


def release(server: Sandbox) -> None:
    """Keep a clean sandbox for the next notebook."""
    with _lock:
        _idle.append(server)
        surplus = _idle[:-MAX_IDLE_SANDBOXES]
        del _idle[:-MAX_IDLE_SANDBOXES]
        _close_later()
    for other in surplus:
        other.end()


def give_back(server: Sandbox, clean: bool) -> None:
    """Keep a sandbox for the next notebook if it can be cleaned and proven clean; otherwise end it."""
    if clean and server.clean():
        release(server)
    else:
        server.end()


def prepare(spec: SandboxSpec) -> None:
    """Prepare the sandboxes for a notebook of this kind; they load the engine meanwhile.

    Raises:
        EngineError: If there is no such engine.
        OSError: If the machine is short of memory, files or processes.
    """
    for one in (spec.of_the_device, spec) if spec.engine.kind == "process" else (spec,):
        with held_back():
            release(acquire(one))


def close_all() -> None:
    """End the sandboxes that nobody uses."""
    with _lock:
        unused = [*_idle]
        _idle.clear()
    for server in unused:
        server.end()


def _close_later() -> None:
    for timer in _closing:
        timer.cancel()
    timer = threading.Timer(idle_seconds, close_all)
    timer.daemon = True
    timer.start()
    _closing[:] = [timer]


def _close_at_the_end() -> None:
    """End the sandboxes with this process, even a multiprocessing one, which ignores atexit."""
    if os.getpid() not in _ending:
        _ending[:] = [os.getpid()]
        multiprocessing.util.Finalize(None, close_all, exitpriority=10)


os.register_at_fork(after_in_child=_idle.clear)  # they belong to the parent
