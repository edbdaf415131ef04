"""The queues of MXNet's engine: finds, without a clock, which arrays are computed while gates stay closed."""

import ctypes
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import mxnet as mx
from mxnet.base import _LIB, NDArrayHandle, check_call

from .calls import MANY, OPERATOR_LABEL, STORE, address
from .threads import comes_to_rest

_ThreadEvent = threading.Event

# The queues of a device, as FnProperty: the second one is the key-value store's.
NORMAL, PRIORITIZED = 0, 3
# A chain of unblocked operations advances by at least one link in each round (one worker, first in, first out).
SETTLE_ROUNDS, MOST_ROUNDS = 64, 1024
LINKS = 3  # an operation and its part of a backward pass
LINKS_OF_MANY = 96  # for a call that enqueues many operations at once


class CContext(ctypes.Structure):
    """A device, as the library numbers it."""

    _fields_ = [("dev_type", ctypes.c_int), ("dev_id", ctypes.c_int32)]


_SYNC = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
_NOTHING = ctypes.cast(ctypes.CDLL(None).getpid, ctypes.c_void_p)  # work for the engine that needs no Python


def one_handle(handle: Any) -> Any:
    """A C array with only this handle."""
    return (NDArrayHandle * 1)(address(handle))


class Queues:
    """The queues of all devices used so far, and how much work may still be pending in them.

    Attributes:
        callbacks: Functions that the engine calls later, which must be kept until then.
    """

    def __init__(self, gpus: int):
        self.callbacks: list[Any] = []
        self._earlier_callbacks: list[Any] = []
        self._push = _LIB.MXEnginePushSyncND
        self._set_bulk_size = _LIB.MXEngineSetBulkSize
        self._get_context = _LIB.MXNDArrayGetContext
        self._marker = mx.nd.zeros(1)
        self._contexts: dict[tuple[int, int], None] = {}
        self._queues = [NORMAL]
        self._several_workers = gpus > 0
        # All links enqueued so far; and how many of the first are done or behind a closed gate.
        self.links = self._settled_links = 0

    def context_of(self, handle: Any) -> CContext:
        """Return the device of an array; from now on its queues count."""
        kind, number = ctypes.c_int(), ctypes.c_int()
        check_call(self._get_context(handle, ctypes.byref(kind), ctypes.byref(number)))
        self._contexts.setdefault((kind.value, number.value))
        return CContext(kind.value, number.value)

    def enqueued(self, name: str, label: str = "") -> None:
        """Note that this library call enqueued work."""
        self.links += LINKS_OF_MANY if name in MANY else LINKS
        self._several_workers |= label == OPERATOR_LABEL
        if name.startswith(STORE) and PRIORITIZED not in self._queues:
            self._queues.append(PRIORITIZED)

    def all_done(self) -> None:
        self._settled_links = self.links

    def gate_opened(self, links: int) -> None:
        """Note that a gate opened that had closed when this many links existed: later work may now run."""
        self._settled_links = min(self._settled_links, links)

    def forget_callbacks(self) -> None:
        """Forget the callbacks, which the engine has called.

        A thread left by the code may still be waiting for one of them, so they are dropped the next time.
        """
        self._earlier_callbacks, self.callbacks = self.callbacks, []

    @contextmanager
    def unbulked(self) -> Iterator[None]:
        """Push operations of this block at once, even if the code collects its operations (engine.bulk)."""
        usual = ctypes.c_int()
        check_call(self._set_bulk_size(ctypes.c_int(0), ctypes.byref(usual)))
        try:
            yield
        finally:
            check_call(self._set_bulk_size(usual, ctypes.byref(ctypes.c_int())))

    def is_settled(self, handle: Any) -> bool:
        """Whether an array is computed while the closed gates stay closed."""
        with self.unbulked():
            return self._is_settled_now(handle)

    def _is_settled_now(self, handle: Any) -> bool:
        computed = _ThreadEvent()
        callback = _SYNC(lambda _run_context, _param: computed.set())
        self.callbacks.append(callback)
        context = self.context_of(handle)
        check_call(
            self._push(
                callback, None, None, ctypes.byref(context), one_handle(handle), ctypes.c_int(1), None, ctypes.c_int(0),
                None, ctypes.c_int(0), ctypes.c_char_p(b"probe"),
            )
        )  # fmt: skip
        rounds = min(MOST_ROUNDS, SETTLE_ROUNDS + self.links - self._settled_links)
        passed, more = 0, 1
        while passed < rounds:
            self._pass_through(more)
            if computed.is_set():
                return True
            passed, more = passed + more, min(2 * more, rounds - passed - more)
        # If several workers overtake each other (GPUs, operators written in Python), counting does not help.
        if self._several_workers or rounds == MOST_ROUNDS:
            return comes_to_rest(computed.wait)
        self._settled_links = self.links
        return False

    def _pass_through(self, rounds: int) -> None:
        """Wait for our own operations, which are enqueued, round by round, after everything that can run.

        A round goes through every queue of every device in use, since a chain may run over several.  All write one
        marker, so each joins its queue only when the one before it is done.
        """
        done = _ThreadEvent()
        callback = _SYNC(lambda _run_context, _param: done.set())
        self.callbacks.append(callback)
        marker, one, none = one_handle(self._marker.handle), ctypes.c_int(1), ctypes.c_int(0)
        name = ctypes.c_char_p(b"marker")
        places = [
            (ctypes.byref(CContext(*key)), ctypes.byref(ctypes.c_int(queue)))
            for key in tuple(self._contexts)
            for queue in self._queues
        ]
        for work, (context, queue) in [(_NOTHING, place) for place in places] * rounds + [(callback, places[-1])]:
            check_call(self._push(work, None, None, context, None, none, marker, one, queue, none, name))
        done.wait()
