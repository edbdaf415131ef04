"""The adapter for MXNet 1.9.1: arrays, gates and the trace of what its front end asks of its engine.

Every Python call into MXNet goes through attributes of ``mxnet.base._LIB``, so a watch replaces those attributes
while it is active.  A gate is an asynchronous engine operation that "writes" an existing array and reports completion
only when the gate opens: the array is pending, its values and the autograd graph are untouched, no thread is occupied.
"""

import ctypes
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Callable, Optional

import mxnet as mx
import numpy as np
from mxnet.base import _LIB, NDArrayHandle, OpHandle, check_call

from .watch import Gate, Watch
from .wire import EngineArray

_Lock, _ThreadEvent = threading.Lock, threading.Event
_NDArray, _Context, _array = mx.nd.NDArray, mx.Context, mx.nd.array

ENQUEUE = (
    "MXImperativeInvokeEx MXInvokeCachedOpEx MXAutogradBackwardEx MXNetFuncCall MXFuncInvokeEx MXExecutorForward "
    "MXExecutorBackwardEx MXKVStorePushEx MXKVStorePullWithSparseEx MXKVStorePushPullEx MXKVStoreBroadcastEx"
).split()
WAIT = (
    "MXNDArrayWaitToRead MXNDArrayWaitToWrite MXNDArrayWaitAll MXNDArraySyncCopyToCPU MXNDArraySyncCopyFromCPU "
    "MXNDArraySyncCopyFromNDArray MXNDArraySave MXNDArraySaveRawBytes MXNDArrayToDLPack MXNDArrayGetSharedMemHandle"
).split()
WAITS_FOR_EVERYTHING = {"MXNDArrayWaitAll", "MXNDArraySave"}
# These copy *into* an array: they wait only if that very array is pending.
WAITS_FOR_ITS_TARGET = {"MXNDArraySyncCopyFromCPU", "MXNDArraySyncCopyFromNDArray"}
WITH_OUTPUTS = {"MXImperativeInvokeEx", "MXInvokeCachedOpEx"}

# A chain of unblocked operations advances by at least one link in each round (one worker, first in, first out).
SETTLE_ROUNDS = 64


class _CContext(ctypes.Structure):
    _fields_ = [("dev_type", ctypes.c_int), ("dev_id", ctypes.c_int32)]


class _OnComplete(ctypes.Structure):  # mxnet::engine::CallbackOnComplete
    _fields_ = [("callback", ctypes.c_void_p), ("engine", ctypes.c_void_p), ("param", ctypes.c_void_p)]


_ASYNC = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
_SYNC = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
_COMPLETE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)


class MXNetEngine:
    """The MXNet engine as the probe sees it."""

    name = "mxnet"

    def __init__(self) -> None:
        self._library = {name: getattr(_LIB, name) for name in ENQUEUE + WAIT if hasattr(_LIB, name)}
        self._free = _LIB.MXNDArrayFree
        self._push_async = _LIB.MXEnginePushAsyncND
        self._push_sync = _LIB.MXEnginePushSyncND
        self._get_context = _LIB.MXNDArrayGetContext
        self._operator_names = _operator_names()
        self._callbacks: list[Any] = []  # the engine calls them later: they must stay alive
        self._markers: dict[tuple[int, int], Any] = {}

    # --- arrays -------------------------------------------------------------------------------------------------

    def array(self, array: EngineArray) -> Any:
        """Make an engine array (computed, not pending) from plain values."""
        return _array(array.values, ctx=_Context("cpu", array.device), dtype=array.values.dtype)

    def is_array(self, value: Any) -> bool:
        """Whether ``value`` is an array of this engine."""
        return isinstance(value, _NDArray)

    def as_engine_array(self, value: Any) -> Optional[EngineArray]:
        """The values and device of an engine array, None for anything else.  Waits for the values."""
        if not self.is_array(value):
            return None
        values = np.empty(_NDArray.shape.fget(value), dtype=_NDArray.dtype.fget(value))
        check_call(
            self._library["MXNDArraySyncCopyToCPU"](
                value.handle, values.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(values.size)
            )
        )
        return EngineArray(values, self._context_of(value.handle).dev_id)

    def wait_all(self) -> None:
        """Wait until everything is computed.  Raises the error of a failed operation."""
        check_call(self._library["MXNDArrayWaitAll"]())

    # --- gates --------------------------------------------------------------------------------------------------

    def close_gate(self, watch: Watch, array: Any, label: str, unrelated: bool = False) -> Gate:
        """Keep ``array`` pending until the returned gate opens.  ``unrelated`` work is the last to be let go."""
        return self._close_gate(watch, array.handle, label, unrelated, keep=array)

    def _close_gate(self, watch: Watch, handle: Any, label: str, unrelated: bool = False, keep: Any = None) -> Gate:
        lock, opened = _Lock(), [False]
        completion: list[_OnComplete] = []

        def fire() -> None:
            done = completion.pop()
            _COMPLETE(done.callback)(done.engine, done.param, None)

        def on_engine_thread(_run_context: int, on_complete: int, _param: int) -> None:
            done = _OnComplete.from_buffer_copy(ctypes.string_at(on_complete, ctypes.sizeof(_OnComplete)))
            with lock:
                completion.append(done)
                ready = opened[0]
            if ready:
                fire()

        def open_gate() -> None:
            with lock:
                opened[0] = True
                ready = bool(completion)
            if ready:
                fire()

        callback = _ASYNC(on_engine_thread)
        self._callbacks.append(callback)
        context = self._context_of(handle)
        check_call(
            self._push_async(
                callback, None, None, ctypes.byref(context), None, ctypes.c_int(0), _handles(handle), ctypes.c_int(1),
                None, ctypes.c_int(0), ctypes.c_char_p(b"gate"), ctypes.c_bool(False),
            )
        )  # fmt: skip
        gate = Gate(label, open_gate, _address(handle), unrelated, keep)
        watch.gates.append(gate)
        return gate

    def is_settled(self, array: Any) -> bool:
        """Whether ``array`` is computed although the closed gates stay closed.  Uses no clock."""
        return self._is_settled(array.handle)

    def _is_settled(self, handle: Any) -> bool:
        computed = _ThreadEvent()
        callback = _SYNC(lambda _run_context, _param: computed.set())
        self._callbacks.append(callback)
        context = self._context_of(handle)
        check_call(
            self._push_sync(
                callback, None, None, ctypes.byref(context), _handles(handle), ctypes.c_int(1), None, ctypes.c_int(0),
                None, ctypes.c_int(0), ctypes.c_char_p(b"probe"),
            )
        )  # fmt: skip
        for _ in range(SETTLE_ROUNDS):
            if computed.is_set():
                return True
            self._pass_through_queue(context)
        return computed.wait(0.02)

    def _pass_through_queue(self, context: _CContext) -> None:
        """Wait for an operation of our own that queues up behind everything that could run on this device."""
        key = (context.dev_type, context.dev_id)
        done = _ThreadEvent()
        marker = self._markers.get(key)
        if marker is None:
            # Copied from numpy: an operation of our own would be traced, and gated, like one of the student's.
            marker = self._markers[key] = _array(np.zeros(1), ctx=_Context("cpu", context.dev_id))
        callback = _SYNC(lambda _run_context, _param: done.set())
        self._callbacks.append(callback)
        check_call(
            self._push_sync(
                callback, None, None, ctypes.byref(context), _handles(marker.handle), ctypes.c_int(1),
                None, ctypes.c_int(0), None, ctypes.c_int(0), ctypes.c_char_p(b"marker"),
            )
        )  # fmt: skip
        done.wait()

    def _context_of(self, handle: Any) -> _CContext:
        kind, number = ctypes.c_int(), ctypes.c_int()
        check_call(self._get_context(handle, ctypes.byref(kind), ctypes.byref(number)))
        return _CContext(kind.value, number.value)

    # --- the watch ----------------------------------------------------------------------------------------------

    @contextmanager
    def watching(self, watch: Watch) -> Iterator[Watch]:
        """Feed ``watch`` with everything the front end asks of the engine until the block ends.

        Gates that are closed then stay closed: the caller reads ``watch.pending`` and opens them.
        """
        for name, function in self._library.items():
            setattr(_LIB, name, self._traced(name, function, watch))
        _LIB.MXNDArrayFree = self._freeing(watch)
        try:
            with watch:
                yield watch
        finally:
            for name, function in self._library.items():
                setattr(_LIB, name, function)
            _LIB.MXNDArrayFree = self._free

    def release(self, watch: Watch) -> None:
        """Open what is still closed and wait for the engine.  Errors of student operations are swallowed."""
        watch.open_all()
        with suppress(mx.base.MXNetError):
            self.wait_all()
        self._callbacks.clear()

    def _traced(self, name: str, function: Callable, watch: Watch) -> Callable:
        if name in WAIT:

            def wait(*arguments: Any) -> Any:
                self._before_wait(name, arguments, watch)
                return function(*arguments)

            return wait

        def enqueue(*arguments: Any) -> Any:
            result = function(*arguments)
            label = self._label(name, arguments)
            if watch.active:
                if result == 0 and watch.gate_results and name in WITH_OUTPUTS:
                    self._gate_outputs(watch, label, arguments)
                watch.log("enqueue", label)
            return result

        return enqueue

    def _freeing(self, watch: Watch) -> Callable:
        def free(handle: Any) -> Any:
            watch.forget(_address(handle))
            return self._free(handle)

        return free

    def _gate_outputs(self, watch: Watch, label: str, arguments: tuple[Any, ...]) -> None:
        count, outputs = arguments[3]._obj.value, arguments[4]._obj
        for index in range(count):
            handle = NDArrayHandle(_address(outputs[index]))
            self._close_gate(watch, handle, f"{label} {len(watch.gates)}")

    def _before_wait(self, name: str, arguments: tuple[Any, ...], watch: Watch) -> None:
        """Open what the wait needs, and only that."""
        if not watch.active:
            return
        if name in WAITS_FOR_EVERYTHING:
            watch.log("wait", name, watch.open_all())
            return
        handle = NDArrayHandle(_address(arguments[0]))
        own = [gate for gate in watch.closed_gates() if gate.address == handle.value]
        if name in WAITS_FOR_ITS_TARGET and not own:
            return
        opened = []
        for gate in own:
            gate.open()
            opened.append(gate.label)
        for gate in watch.closed_gates():
            if self._is_settled(handle):
                break
            gate.open()
            opened.append(gate.label)
        watch.log("wait", name, tuple(opened))

    def _label(self, name: str, arguments: tuple[Any, ...]) -> str:
        if name in ("MXImperativeInvokeEx", "MXNetFuncCall"):
            return self._operator_names.get(_address(arguments[0]), name)
        return {"MXInvokeCachedOpEx": "CachedOp", "MXAutogradBackwardEx": "backward"}.get(name, name)


def _address(handle: Any) -> int:
    return getattr(handle, "value", handle) or 0


def _handles(handle: Any) -> Any:
    return (NDArrayHandle * 1)(_address(handle))


def _operator_names() -> dict[int, str]:
    count, names = ctypes.c_uint(), ctypes.POINTER(ctypes.c_char_p)()
    check_call(_LIB.MXListAllOpNames(ctypes.byref(count), ctypes.byref(names)))
    found: dict[int, str] = {}
    for index in range(count.value):
        handle = OpHandle()
        check_call(_LIB.NNGetOpHandle(names[index], ctypes.byref(handle)))
        name = names[index].decode()
        # An operator has several names, and the public one does not begin with an underscore: dot, _sparse_dot.
        if found.get(handle.value, "_").startswith("_"):
            found[handle.value] = name
    return found
