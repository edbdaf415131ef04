"""The adapter for MXNet 1.9.1: arrays, gates and the trace of what its front end asks of its engine.

Every Python call into MXNet goes through attributes of ``mxnet.base._LIB``, so a watch replaces those attributes
while it is active.  A gate is an asynchronous engine operation that "writes" an existing array and reports completion
only when the gate opens: the array is pending, its values and the autograd graph are untouched, no thread is occupied.
"""

import ctypes
import functools
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import CodeType
from typing import Any, Callable, Optional

import mxnet as mx
import numpy as np
from mxnet.base import _LIB, NDArrayHandle, OpHandle, check_call

from .watch import Gate, Watch
from .wire import Device, EngineArray

_Lock, _ThreadEvent, _get_ident = threading.Lock, threading.Event, threading.get_ident
_getframe, _get_native_id, _sleep, _open = sys._getframe, threading.get_native_id, time.sleep, open
_Context, _mark_variables = mx.Context, mx.autograd.mark_variables
_ARRAYS = (mx.nd.NDArray, mx.np.ndarray, mx.nd.sparse.RowSparseNDArray, mx.nd.sparse.CSRNDArray)
_handle, _shape = mx.nd.NDArray.handle.__get__, mx.nd.NDArray.shape.fget
_dtype, _grad = mx.nd.NDArray.dtype.fget, mx.nd.NDArray.grad.fget
_MAKE = {"": mx.nd.array, "nd": mx.nd.array, "np": mx.np.array}  # the array interfaces
_CPU, _GPU = 1, 2  # kinds of context, as the library numbers them

ENQUEUE = (
    "MXImperativeInvokeEx MXInvokeCachedOpEx MXAutogradBackwardEx MXNetFuncCall MXFuncInvokeEx MXExecutorForward "
    "MXExecutorBackwardEx MXKVStorePushEx MXKVStorePullWithSparseEx MXKVStorePushPullEx MXKVStoreBroadcastEx"
).split()
WAIT = (
    "MXNDArrayWaitToRead MXNDArrayWaitToWrite MXNDArrayWaitAll MXNDArraySyncCopyToCPU MXNDArraySyncCopyFromCPU "
    "MXNDArraySyncCopyFromNDArray MXNDArraySave MXNDArraySaveRawBytes MXNDArrayToDLPack MXNDArrayGetSharedMemHandle "
    "MXNDArrayGetData"
).split()
MARK, BACKWARD = "MXAutogradMarkVariables", "MXAutogradBackwardEx"
WAITS_FOR_EVERYTHING = {"MXNDArrayWaitAll"}
WAITS_FOR_ITS_LIST = {"MXNDArraySave"}
# These copy *into* an array: they wait only if that very array is pending.
WAITS_FOR_ITS_TARGET = {"MXNDArraySyncCopyFromCPU", "MXNDArraySyncCopyFromNDArray"}
# The values decide how many elements come out: the call itself waits for the result, to learn its shape.
SHAPED_BY_VALUES = {
    "_contrib_boolean_mask", "_npi_nonzero", "_npx_nonzero", "_npi_unique", "_npi_bincount", "_npi_delete",
}  # fmt: skip

# The queues of a device, as FnProperty: the second one is the key-value store's.
NORMAL, PRIORITIZED = 0, 3
# A chain of unblocked operations advances by at least one link in each round (one worker, first in, first out).
SETTLE_ROUNDS, MOST_ROUNDS = 64, 1024
LINKS = 3  # an operation and its share of a backward
LINKS_OF_MANY = 96  # of a call that enqueues many operations at once, and does not tell how many
MANY = {"MXInvokeCachedOpEx", "MXExecutorForward", "MXExecutorBackwardEx"}
# Where several workers overtake each other (GPUs, operators written in Python), no count helps.
GRACE_SECONDS = 0.02
# How often, and how many seconds apart, a front end is seen asleep, and not to have run, until it counts as blocked.
LOOKS, LOOK_SECONDS = 10, 0.005


class _CContext(ctypes.Structure):
    _fields_ = [("dev_type", ctypes.c_int), ("dev_id", ctypes.c_int32)]


class _OnComplete(ctypes.Structure):  # mxnet::engine::CallbackOnComplete
    _fields_ = [("callback", ctypes.c_void_p), ("engine", ctypes.c_void_p), ("param", ctypes.c_void_p)]


_ASYNC = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
_SYNC = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
_NOTHING = ctypes.cast(ctypes.CDLL(None).getpid, ctypes.c_void_p)  # work for the engine that needs no Python
_COMPLETE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)


class MXNetEngine:
    """The MXNet engine as the probe sees it."""

    name = "mxnet"

    def __init__(self) -> None:
        self._library = {name: getattr(_LIB, name) for name in [*ENQUEUE, *WAIT, MARK] if hasattr(_LIB, name)}
        self._free = _LIB.MXNDArrayFree
        self._detach = _LIB.MXNDArrayDetach
        self._push_async = _LIB.MXEnginePushAsyncND
        self._push_sync = _LIB.MXEnginePushSyncND
        self._get_context = _LIB.MXNDArrayGetContext
        self._set_bulk_size = _LIB.MXEngineSetBulkSize
        self._operator_names = {**_operator_names(), **_function_names()}
        self._gpus = mx.context.num_gpus()
        self._callbacks: list[Any] = []  # the engine calls them later: they must stay alive
        self._earlier_callbacks: list[Any] = []
        self._marker = mx.nd.zeros(1)
        self._contexts: dict[tuple[int, int], None] = {}  # every one that was ever watched, each once
        self._queues = [NORMAL]
        self._several_workers = self._gpus > 0
        self._operator_code = set(_code_within(mx.operator.register.__code__))
        self._front_end = self._front_end_task = 0  # the thread that runs the watched code, for Python and for Linux
        self._turns: list[object] = []  # waits in other threads, in the order in which they began
        self._served_task = 0  # the other thread whose wait was over last
        self._described: list[Any] = []
        self._gated: set[Watch] = set()  # watches with gates that nobody has released yet
        # Links that were enqueued in all; and how many of the first are done, or behind a closed gate.
        self._links = self._settled_links = 0

    # --- arrays -------------------------------------------------------------------------------------------------

    def array(self, array: EngineArray, interface: str = "") -> Any:
        """Make an engine array (computed, not pending) from plain values, with the gradient buffer it asks for."""
        device, make = self.device(Device(array.device)), _MAKE[interface]
        made = make(array.values, ctx=device, dtype=array.values.dtype)
        if array.gradient is not None:
            _mark_variables([made], [make(array.gradient, ctx=device, dtype=array.gradient.dtype)])
        return made

    def device(self, device: Device) -> Any:
        """The context for a device: cpu(0) is the host; 1, 2, ... are GPUs, or CPU contexts beyond the GPUs."""
        if 0 < device.number <= self._gpus:
            return _Context("gpu", device.number - 1)
        return _Context("cpu", device.number)

    def is_array(self, value: Any) -> bool:
        """Whether ``value`` is an array of this engine."""
        return type(value) in _ARRAYS

    def describe(self, value: Any, with_gradient: bool = True) -> Any:
        """The plain form of an array (waits for its values) or a context of this engine.

        A plain form that was made here, for this request, is one already.  None for anything else (student code may
        have made a plain form, too), and for an array that cannot be read.
        """
        if type(value) in (EngineArray, Device):
            return value if any(value is made for made in self._described) else None
        made: Optional[Any] = None
        with suppress(Exception):
            if type(value) is _Context:
                made = Device(_number(_CContext(value.device_typeid, value.device_id)))
            elif self.is_array(value):
                gradient = _grad(value) if with_gradient else None
                made = EngineArray(
                    self._values(value),
                    _number(self._context_of(_handle(value))),
                    gradient=None if gradient is None else self._values(gradient),
                )
        if made is not None:
            self._described.append(made)
        return made

    def second_handle(self, handle: Any) -> Any:
        """The array of a handle, or at an address, once more: it outlives the code's own, and no work is queued."""
        second = NDArrayHandle()
        check_call(self._detach(NDArrayHandle(_address(handle)), ctypes.byref(second)))
        return mx.nd.NDArray(second)

    def _values(self, array: Any) -> np.ndarray:
        values = np.empty(_shape(array), dtype=_dtype(array))
        if values.dtype.kind not in "biuf":
            raise TypeError(f"arrays of {values.dtype} do not cross")
        check_call(
            self._library["MXNDArraySyncCopyToCPU"](
                _handle(array), values.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(values.size)
            )
        )
        return values

    def wait_all(self) -> None:
        """Wait until everything is computed.  Raises the error of a failed operation."""
        check_call(self._library["MXNDArrayWaitAll"]())
        self._settled_links = self._links

    # --- gates --------------------------------------------------------------------------------------------------

    def close_gate(self, watch: Watch, array: Any, label: str, unrelated: bool = False) -> Gate:
        """Keep ``array`` pending until the returned gate opens.  ``unrelated`` work is the last to be let go."""
        return self._close_gate(watch, _handle(array), label, unrelated, keep=array)

    def withhold(self, watch: Watch, array: Any, values: np.ndarray, label: str) -> Gate:
        """Close a gate on a computed array and take its values away: they are there when the gate opens.

        Who reads the memory of a pending array without a wait finds nothing of use.  (Host memory only.)
        """
        handle, data = _handle(array), ctypes.c_void_p()
        if self._context_of(handle).dev_type != _CPU:
            return self.close_gate(watch, array, label)
        values = np.ascontiguousarray(values)
        check_call(self._library["MXNDArrayGetData"](handle, ctypes.byref(data)))
        nothing = np.full_like(values, 93)
        ctypes.memmove(data, nothing.ctypes.data, nothing.nbytes)
        put_back = functools.partial(ctypes.memmove, data, values.ctypes.data, values.nbytes)
        return self._close_gate(watch, handle, label, keep=(array, values), before_opening=put_back)

    def _close_gate(
        self,
        watch: Watch,
        handle: Any,
        label: str,
        unrelated: bool = False,
        keep: Any = None,
        before_opening: Callable[[], Any] = lambda: None,
    ) -> Gate:
        lock, opened, links_before = _Lock(), [False], self._links
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
            self._settled_links = min(self._settled_links, links_before)
            with lock:
                ready = bool(completion) and not opened[0]  # two threads may open it at once
                opened[0] = True
            if ready:
                fire()

        gate = Gate(label, open_gate, _address(handle), unrelated, keep)
        callback = _ASYNC(on_engine_thread)
        self._callbacks.append(callback)
        context = self._context_of(handle)
        check_call(
            self._push_async(
                callback, None, None, ctypes.byref(context), None, ctypes.c_int(0), _handles(handle), ctypes.c_int(1),
                None, ctypes.c_int(0), ctypes.c_char_p(b"gate"), ctypes.c_bool(False),
            )
        )  # fmt: skip
        self._gated.add(watch)
        watch.add(gate)
        return gate

    def is_settled(self, array: Any) -> bool:
        """Whether ``array`` is computed although the closed gates stay closed.  Uses no clock."""
        return self._is_settled(_handle(array))

    def _is_settled(self, handle: Any) -> bool:
        with self._unbulked():
            return self._is_settled_now(handle)

    @contextmanager
    def _unbulked(self) -> Iterator[None]:
        """Push what is pushed in this block at once, also where the code collects its operations (engine.bulk)."""
        usual = ctypes.c_int()
        check_call(self._set_bulk_size(ctypes.c_int(0), ctypes.byref(usual)))
        try:
            yield
        finally:
            check_call(self._set_bulk_size(usual, ctypes.byref(ctypes.c_int())))

    def _is_settled_now(self, handle: Any) -> bool:
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
        rounds = min(MOST_ROUNDS, SETTLE_ROUNDS + self._links - self._settled_links)
        passed, more = 0, 1
        while passed < rounds:
            self._pass_through_queues(more)
            if computed.is_set():
                return True
            passed, more = passed + more, min(2 * more, rounds - passed - more)
        if self._several_workers or rounds == MOST_ROUNDS:
            return computed.wait(GRACE_SECONDS)
        self._settled_links = self._links
        return False

    def _pass_through_queues(self, rounds: int) -> None:
        """Wait for operations of our own that queue up, round by round, behind everything that could run.

        A round goes through every queue of every device in use, since a chain may run over several.  All write one
        marker, so each joins its queue only when the one before it is done.
        """
        done = _ThreadEvent()
        callback = _SYNC(lambda _run_context, _param: done.set())
        self._callbacks.append(callback)
        marker, one, none = _handles(self._marker.handle), ctypes.c_int(1), ctypes.c_int(0)
        name = ctypes.c_char_p(b"marker")
        places = [
            (ctypes.byref(_CContext(*key)), ctypes.byref(ctypes.c_int(queue)))
            for key in tuple(self._contexts)
            for queue in self._queues
        ]
        for work, (context, queue) in [(_NOTHING, place) for place in places] * rounds + [(callback, places[-1])]:
            check_call(self._push_sync(work, None, None, context, None, none, marker, one, queue, none, name))
        done.wait()

    def _context_of(self, handle: Any) -> _CContext:
        kind, number = ctypes.c_int(), ctypes.c_int()
        check_call(self._get_context(handle, ctypes.byref(kind), ctypes.byref(number)))
        self._contexts.setdefault((kind.value, number.value))
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
        self._front_end, self._front_end_task = _get_ident(), _get_native_id()
        self._turns, self._served_task = [], 0
        try:
            with watch:
                yield watch
        finally:
            for name, function in self._library.items():
                setattr(_LIB, name, function)
            _LIB.MXNDArrayFree = self._free

    def begin(self) -> None:
        """A new request: forget what was made for the last one, and release what it may have left behind."""
        self._described.clear()
        for watch in tuple(self._gated):
            self.release(watch)

    def release(self, watch: Watch) -> None:
        """Open what is still closed and wait for the engine.  Errors of student operations are swallowed."""
        watch.open_all()
        self._gated.discard(watch)
        with suppress(mx.base.MXNetError):
            self.wait_all()
        # A thread that the code has left behind may be waiting for one of them even now: they go the next time.
        self._earlier_callbacks, self._callbacks = self._callbacks, []

    def _traced(self, name: str, function: Callable, watch: Watch) -> Callable:
        if name == MARK:

            def mark(*arguments: Any) -> Any:
                result = function(*arguments)
                if self._is_watching(watch) and result == 0:
                    for variable, gradient in zip(_some(arguments[1], arguments[0]), _some(arguments[3], arguments[0])):
                        watch.log("mark", "", reads=self._devices([variable]), writes=self._devices([gradient]))
                return result

            return mark
        if name in WAIT:

            def wait(*arguments: Any) -> Any:
                if not self._is_watching(watch):
                    return function(*arguments)
                with self._in_its_turn():
                    self._before_wait(name, arguments, watch)
                    return function(*arguments)

            return wait

        def enqueue(*arguments: Any) -> Any:
            if self._label(name, arguments) in SHAPED_BY_VALUES and self._is_watching(watch):
                with self._in_its_turn():
                    self._before_wait(name, arguments, watch)
            result = function(*arguments)
            if result == 0 and self._is_watching(watch):
                self._after_enqueue(name, arguments, watch)
            return result

        return enqueue

    def _is_watching(self, watch: Watch) -> bool:
        """Whether what is asked for now is of the watched code, and not the inside of one of its operations.

        The engine runs an operator written in Python (numpy.empty_like of ``mxnet`` is one) in a thread of its own,
        from a callback: held back in there, it could never end.  Its results are held back like any operation's.
        """
        if not watch.active or _get_ident() == self._front_end:
            return watch.active
        frame = _getframe()
        while frame.f_back is not None:
            frame = frame.f_back
        return frame.f_code not in self._operator_code

    def _freeing(self, watch: Watch) -> Callable:
        def free(handle: Any) -> Any:
            watch.forget(_address(handle))
            return self._free(handle)

        return free

    def _after_enqueue(self, name: str, arguments: tuple[Any, ...], watch: Watch) -> None:
        """Log the operation, with its devices, and hold its results back where the watch asks for it."""
        self._links += LINKS_OF_MANY if name in MANY else LINKS
        if name.startswith("MXKVStore") and PRIORITIZED not in self._queues:
            self._queues.append(PRIORITIZED)
        if name == BACKWARD:
            for head, gradients in _heads(arguments):
                watch.log("enqueue", "backward", reads=self._devices([head, *gradients]), writes=self._devices([head]))
            return
        operands = OPERANDS.get(name)
        if operands is None:
            watch.log("enqueue", name)
            return
        inputs, outputs = operands(arguments)
        if name == "MXNetFuncCall" and not outputs:
            return  # it made a tuple of numbers, or something else that is not work for the engine
        label = self._label(name, arguments)
        self._several_workers |= label == "Custom"
        watch.operands(inputs)
        if watch.gate_results:
            for handle in outputs:
                self._close_gate(watch, handle, f"{label} {len(watch.gates)}")
        watch.log("enqueue", label, reads=self._devices(inputs), writes=self._devices(outputs))

    def _devices(self, handles: list[Any]) -> tuple[int, ...]:
        """The numbers of the devices of these arrays, each once."""
        return tuple(dict.fromkeys(_number(self._context_of(handle)) for handle in handles))

    def _before_wait(self, name: str, arguments: tuple[Any, ...], watch: Watch) -> None:
        """Open what the wait needs, and only that."""
        if _get_ident() != self._front_end:
            self._let_the_front_end_go_on(watch)
            if not watch.active:
                return
        if name in WAITS_FOR_EVERYTHING:
            watch.log("wait", name, watch.open_all())
        elif name in WAITS_FOR_ITS_LIST:
            for handle in _some(arguments[2], getattr(arguments[1], "value", arguments[1])):
                self._wait_for(name, [handle], watch)
        elif name in OPERANDS:
            self._wait_for(self._label(name, arguments), OPERANDS[name](arguments)[0], watch)
        else:
            self._wait_for(name, [NDArrayHandle(_address(arguments[0]))], watch)

    @contextmanager
    def _in_its_turn(self) -> Iterator[None]:
        """Around a wait: of waits in other threads one at a time opens gates, in the order in which they began.

        The next one comes when the one before is over, and its thread has done what it could.  So threads that wait
        for one result each let go no more than the one does for which the front end waits.
        """
        if _get_ident() == self._front_end:
            yield
            return
        turn, turns = object(), self._turns
        turns.append(turn)
        try:
            while turns[0] is not turn or _how_it_sleeps(self._served_task) is None:
                _sleep(LOOK_SECONDS)
            yield
        finally:
            turns.remove(turn)
            self._served_task = _get_native_id()

    def _let_the_front_end_go_on(self, watch: Watch) -> None:
        """In another thread: until the front end itself can do nothing more, or has ended.

        A wait in another thread holds the front end back only if that waits for the thread.
        """
        looks, before = 0, None
        while watch.active and looks < LOOKS:
            _sleep(LOOK_SECONDS)
            now = _how_it_sleeps(self._front_end_task)
            looks, before = (looks + 1 if now == before and now is not None else 0), now

    def _wait_for(self, name: str, handles: list[Any], watch: Watch) -> None:
        """Open the gates that keep these arrays pending."""
        addresses = {handle.value for handle in handles}
        own = [gate for gate in watch.closed_gates() if gate.address in addresses]
        if name in WAITS_FOR_ITS_TARGET and not own:
            return
        opened = []
        for gate in own:
            gate.open()
            opened.append(gate.label)
        for gate in watch.closed_gates():
            if all(map(self._is_settled, handles)):
                break
            gate.open()
            opened.append(gate.label)
        watch.log("wait", name, tuple(opened))

    def _label(self, name: str, arguments: tuple[Any, ...]) -> str:
        if name in ("MXImperativeInvokeEx", "MXNetFuncCall"):
            return self._operator_names.get(_address(arguments[0]), name)
        return {"MXInvokeCachedOpEx": "CachedOp"}.get(name, name)


def _how_it_sleeps(task: int) -> Optional[str]:
    """What Linux counts of a thread, which changes whenever it runs; None while it is not asleep, "" if it has ended.

    The thread that asks counts as asleep, and so does number 0, which is none.
    """
    if task in (0, _get_native_id()):
        return ""
    try:
        with _open(f"/proc/self/task/{task}/status") as file:
            lines = file.read().splitlines()
    except OSError:
        return ""
    asleep = any(line.startswith("State:") and line.split()[1] in "SD" for line in lines)
    return "".join(line for line in lines if "ctxt_switches" in line) if asleep else None


def _code_within(code: CodeType) -> Iterator[CodeType]:
    """The code of every function that is defined inside of a function."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _code_within(constant)


def _imperative_operands(arguments: tuple[Any, ...]) -> tuple[list[Any], list[Any]]:
    """Inputs and outputs of MXImperativeInvokeEx and MXInvokeCachedOpEx."""
    return _some(arguments[2], arguments[1].value), _some(arguments[4]._obj, arguments[3]._obj.value)


def _heads(arguments: tuple[Any, ...]) -> Iterator[tuple[Any, list[Any]]]:
    """The heads of MXAutogradBackwardEx, each with its head gradient, if it has one."""
    count, heads, gradients = arguments[:3]
    given = _some(gradients, count) if isinstance(gradients, ctypes.Array) else [NDArrayHandle()] * count
    for head, gradient in zip(_some(heads, count), given):
        yield head, [gradient] if gradient.value else []


def _function_operands(arguments: tuple[Any, ...]) -> tuple[list[Any], list[Any]]:
    """Inputs and outputs of MXNetFuncCall."""
    values, codes, count = arguments[1], arguments[2], arguments[3].value
    inputs = [NDArrayHandle(values[i].v_handle) for i in range(count) if codes[i] == _ARRAY_CODE]
    is_array = arguments[5]._obj.value == _ARRAY_CODE
    return inputs, [NDArrayHandle(arguments[4]._obj.v_handle)] if is_array else []


_ARRAY_CODE = 14  # mxnet._ffi._ctypes.types.TypeCode.NDARRAYHANDLE
OPERANDS: dict[str, Callable[[tuple[Any, ...]], tuple[list[Any], list[Any]]]] = {
    "MXImperativeInvokeEx": _imperative_operands,
    "MXInvokeCachedOpEx": _imperative_operands,
    "MXNetFuncCall": _function_operands,
}


def _some(handles: Any, count: int) -> list[Any]:
    return [NDArrayHandle(_address(handles[index])) for index in range(count)]


def _number(context: _CContext) -> int:
    """How the course numbers a context: 0 for the host's own memory (pinned and shared, too)."""
    return {_CPU: context.dev_id, _GPU: context.dev_id + 1}.get(context.dev_type, 0)


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
        # An operator has several names; the plainest one is for the log: dot, not _sparse_dot.
        if handle.value not in found or _rank(name) < _rank(found[handle.value]):
            found[handle.value] = name
    return found


def _rank(name: str) -> tuple[bool, bool]:
    """Public names come first, then those of mxnet.nd."""
    return name.startswith("_"), name.startswith("_np")


def _function_names() -> dict[int, str]:
    """The few functions of mxnet.np that have a call of their own."""
    functions = vars(mx.ndarray.numpy._api_internal)
    return {function.handle.value: name for name, function in functions.items() if hasattr(function, "handle")}
