"""The gates of MXNet: how they close, and which ones a wait opens.

A gate is an asynchronous engine operation that "writes" an existing array and reports completion only when the gate
opens: the array is pending, its values and the autograd graph are untouched, no thread is occupied.
"""

import ctypes
import functools
import threading
from typing import Any, Callable, Optional

import numpy as np
from mxnet.base import _LIB, check_call
from probe.serialization import EngineArray
from probe.trace import Gate, Trace

from . import calls
from .arrays import CPU, MXNetArrays, handle_of
from .disguise import disguise
from .queues import one_handle
from .versions import Versions

_Lock = threading.Lock


class _OnComplete(ctypes.Structure):  # mxnet::engine::CallbackOnComplete
    _fields_ = [("callback", ctypes.c_void_p), ("engine", ctypes.c_void_p), ("param", ctypes.c_void_p)]


_ASYNC = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
_COMPLETE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)


class MXNetGates(MXNetArrays):
    """Arrays that can be held back."""

    def __init__(self) -> None:
        super().__init__()
        self._push_async, self._get_data = _LIB.MXEnginePushAsyncND, _LIB.MXNDArrayGetData
        self._gated: set[Trace] = set()  # traces with gates that have not been released yet
        self._version_of: dict[Gate, int] = {}  # what each gate holds back
        self._versions = Versions()

    def close_gate(self, trace: Trace, array: Any, label: str, unrelated: bool = False) -> Gate:
        """Keep ``array`` pending until the returned gate opens.  ``unrelated`` work is the last to be released."""
        return self._close_gate(trace, handle_of(array), label, unrelated)

    def withhold(self, trace: Trace, array: Any, values: np.ndarray, label: str) -> Gate:
        """Close a gate on a computed array and hide its values until the gate opens.

        Code that reads the memory of a pending array without a wait finds other values of the same kind.  (Host memory
        only.)
        """
        handle, data = handle_of(array), ctypes.c_void_p()
        if self.queues.context_of(handle).dev_type != CPU:
            return self.close_gate(trace, array, label)
        values = np.ascontiguousarray(values)
        check_call(self._get_data(handle, ctypes.byref(data)))
        others = disguise(values)
        ctypes.memmove(data, others.ctypes.data, others.nbytes)
        put_back = functools.partial(ctypes.memmove, data, values.ctypes.data, values.nbytes)
        return self._close_gate(trace, handle, label, before_opening=put_back, keep=values)

    def _close_gate(
        self,
        trace: Trace,
        handle: Any,
        label: str,
        unrelated: bool = False,
        before_opening: Callable[[], Any] = lambda: None,
        keep: Any = None,
    ) -> Gate:
        lock, opened, links_before = _Lock(), [False], self.queues.links
        completion: list[_OnComplete] = []

        def fire() -> None:
            done = completion.pop()
            before_opening()
            _COMPLETE(done.callback)(done.engine, done.param, None)

        def on_engine_thread(_run_context: int, on_complete: int, _param: int) -> None:
            done = _OnComplete.from_buffer_copy(ctypes.string_at(on_complete, ctypes.sizeof(_OnComplete)))
            gate.reached = True
            with lock:
                completion.append(done)
                ready = opened[0]
            if ready:
                fire()

        def open_gate() -> None:
            self.queues.gate_opened(links_before)
            with lock:
                ready = bool(completion) and not opened[0]  # two threads may open it at once
                opened[0] = True
            if ready:
                fire()

        array = self.second_handle(handle)
        gate = Gate(label, open_gate, array, self.storage(handle_of(array)), unrelated, keep)
        callback = _ASYNC(on_engine_thread)
        self.queues.callbacks.append(callback)
        context = self.queues.context_of(handle)
        check_call(
            self._push_async(
                callback, None, None, ctypes.byref(context), None, ctypes.c_int(0), one_handle(handle), ctypes.c_int(1),
                None, ctypes.c_int(0), ctypes.c_char_p(b"gate"), ctypes.c_bool(False),
            )
        )  # fmt: skip
        self._gated.add(trace)
        self._version_of[gate] = self._versions.note_write([gate.storage])
        trace.add(gate)
        return gate

    def is_settled(self, array: Any) -> bool:
        """Whether ``array`` is computed while the closed gates stay closed. Uses no clock."""
        return self.queues.is_settled(handle_of(array))

    def is_ready(self, trace: Trace, array: EngineArray) -> Optional[bool]:
        """Return whether a described array is computed while the gates of ``trace`` stay closed.

        None if that is unknown: if results are held back, an array whose creation the trace did not see was not held by
        any gate.
        """
        values: Any = array.values
        if trace.gate_results and values.storage not in trace.followed:
            return None
        return values.copy is None or self.is_settled(values.copy)

    def forget_versions(self) -> None:
        """Forget all earlier writes: they no longer matter to a gate."""
        self._version_of.clear()
        self._versions = Versions()

    def _age(self, name: str, arguments: calls.Arguments) -> int:
        """Return the position, among all operations, of the last one that computes the wait's target.

        If it is unknown, the place after all others.
        """
        handles = [] if name in calls.WAITS_FOR_EVERYTHING else next(iter(calls.waited_for(name, arguments)), [])
        later = self._versions.next
        return max((self._versions.of(self.storage(handle), later) for handle in handles), default=later)

    def _open_for(self, name: str, handles: list[Any], trace: Trace) -> Optional[tuple[str, ...]]:
        """Open the gates that keep these arrays pending; return their labels, or None if the call does not wait."""
        storages = set(map(self.storage, handles))
        own = [gate for gate in trace.closed_gates() if gate.storage in storages]
        if name in calls.WAITS_FOR_ITS_TARGET and not own:
            return None
        opened = []
        for gate in own:
            gate.open()
            opened.append(gate.label)
        # The inputs of the arrays come first; operations that they do not need stay queued.
        needed = self._versions.needed_for(storages)
        for gate in sorted(trace.closed_gates(), key=lambda gate: self._version_of.get(gate) in needed, reverse=True):
            if all(map(self.queues.is_settled, handles)):
                break
            gate.open()
            opened.append(gate.label)
        return tuple(opened)
