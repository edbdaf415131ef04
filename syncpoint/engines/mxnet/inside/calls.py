"""The meaning of calls of MXNet 1.9.1's front end into its library: the work they queue, wait for or fill.

All of them go through attributes of ``mxnet.base._LIB``.  This module only interprets their arguments.
"""

import ctypes
from collections.abc import Iterator
from typing import Any, Callable, Optional

import mxnet as mx
from mxnet.base import _LIB, NDArrayHandle, OpHandle, check_call

Arguments = tuple[Any, ...]
Operands = tuple[list[Any], list[Any]]  # handles of the inputs and of the outputs

MARK, BACKWARD = "MXAutogradMarkVariables", "MXAutogradBackwardEx"
STORE = "MXKVStore"
HOST_COPY = "MXNDArraySyncCopyToCPU"
OPERATOR_LABEL = "Custom"
COPY = "_copyto"
WAIT = (
    "MXNDArrayWaitToRead MXNDArrayWaitToWrite MXNDArrayWaitAll MXNDArraySyncCopyToCPU MXNDArraySyncCopyFromCPU "
    "MXNDArraySyncCopyFromNDArray MXNDArraySave MXNDArraySaveRawBytes MXNDArrayToDLPack MXNDArrayGetSharedMemHandle "
    "MXNDArrayGetData"
).split()
WAITS_FOR_EVERYTHING = {"MXNDArrayWaitAll"}
WAITS_FOR_ITS_LIST = {"MXNDArraySave"}
# These copy *into* an array: they wait only if that very array is pending.
WAITS_FOR_ITS_TARGET = {"MXNDArraySyncCopyFromCPU", "MXNDArraySyncCopyFromNDArray"}
# Names of waits that students know, and the target of each; other waits are for an array.
WORDS = {
    "MXNDArrayWaitToRead": ("array", "wait_to_read"),
    "MXNDArrayWaitAll": ("all", "waitall"),
    HOST_COPY: ("host copy", "asnumpy or the like"),
}
# The shape of the result depends on the values, so the call itself waits for the result.
SHAPED_BY_VALUES = {
    "_contrib_boolean_mask", "_npi_nonzero", "_npx_nonzero", "_npi_unique", "_npi_bincount", "_npi_delete",
}  # fmt: skip
# The inputs of an executor are unknown; it runs on the device of its outputs.
INPUTS_UNKNOWN = {"MXExecutorForward"}
# Calls that enqueue many operations at once without giving their number.
MANY = {"MXInvokeCachedOpEx", "MXExecutorForward", "MXExecutorBackwardEx"}

_ARRAY_CODE = 14  # mxnet._ffi._ctypes.types.TypeCode.NDARRAYHANDLE
_executor_outputs, _free = _LIB.MXExecutorOutputs, _LIB.MXNDArrayFree


class _OwnHandle(NDArrayHandle):
    """A handle that the library has created for this code."""

    def __del__(self) -> None:
        _free(self)


def address(handle: Any) -> int:
    """The address that a handle holds; 0 for none."""
    return getattr(handle, "value", handle) or 0


def some(handles: Any, count: Any) -> list[Any]:
    """Return the first ``count`` (a number of Python's or of C's) handles of a C array."""
    return [NDArrayHandle(address(handles[index])) for index in range(address(count))]


def _imperative(arguments: Arguments) -> Operands:
    return some(arguments[2], arguments[1]), some(arguments[4]._obj, arguments[3]._obj)


def _function(arguments: Arguments) -> Operands:
    values, codes, count = arguments[1], arguments[2], arguments[3].value
    inputs = [NDArrayHandle(values[i].v_handle) for i in range(count) if codes[i] == _ARRAY_CODE]
    is_array = arguments[5]._obj.value == _ARRAY_CODE
    return inputs, [NDArrayHandle(arguments[4]._obj.v_handle)] if is_array else []


def _executor(arguments: Arguments) -> Operands:
    count, handles = ctypes.c_uint(), ctypes.POINTER(NDArrayHandle)()
    check_call(_executor_outputs(arguments[0], ctypes.byref(count), ctypes.byref(handles)))
    return [], [_OwnHandle(handles[index]) for index in range(count.value)]


def _into_store(arguments: Arguments) -> Operands:
    return some(arguments[3], arguments[1]), []


def _out_of_store(arguments: Arguments) -> Operands:
    return [], some(arguments[3], arguments[1])


def _through_store(arguments: Arguments) -> Operands:
    return some(arguments[5], arguments[1]), some(arguments[6], arguments[3])


# The key-value store has each call twice: with numbers as keys (as Gluon calls it) or, with Ex, strings.
_STORES = {
    "Init": _into_store,
    "Push": _into_store,
    "PullWithSparse": _out_of_store,
    "PullRowSparse": _out_of_store,
    "PushPull": _through_store,
    "Broadcast": _through_store,
}
# None: the call does not pass its operands.
ENQUEUE: dict[str, Optional[Callable[[Arguments], Operands]]] = {
    "MXImperativeInvokeEx": _imperative,
    "MXInvokeCachedOpEx": _imperative,
    "MXNetFuncCall": _function,
    "MXExecutorForward": _executor,
    "MXExecutorBackwardEx": None,
    "MXFuncInvokeEx": None,
    "MXAutogradBackward": None,
    BACKWARD: None,
    **{f"{STORE}{name}{keys}": operands for name, operands in _STORES.items() for keys in ("", "Ex")},
}


def _first(arguments: Arguments) -> list[Any]:
    return [NDArrayHandle(address(arguments[0]))]


def _last(arguments: Arguments) -> list[Any]:
    return [arguments[-1]._obj]


def _loaded(arguments: Arguments) -> list[Any]:
    return some(arguments[-3]._obj, arguments[-4]._obj)


# Calls that have written arrays when they return, without the engine: these arrays.
FILL: dict[str, Callable[[Arguments], list[Any]]] = {
    "MXNDArraySyncCopyFromCPU": _first,
    "MXNDArraySyncCopyFromNDArray": _first,
    "MXNDArrayLoad": _loaded,
    "MXNDArrayLoadFromBuffer": _loaded,
    "MXNDArrayLoadFromRawBytes": _last,
    "MXNDArrayFromDLPackEx": _last,
    "MXNDArrayCreateFromSharedMemEx": _last,
}
TRACED = [*dict.fromkeys([*ENQUEUE, *WAIT, *FILL, MARK])]


def waits(name: str, arguments: Arguments) -> bool:
    """Whether a call waits for work: one of `WAIT`, or one that enqueues an operation which needs values first."""
    return name in WAIT or (name in ENQUEUE and label(name, arguments) in SHAPED_BY_VALUES)


def words(name: str, arguments: Arguments) -> tuple[str, str]:
    """Return the target of a wait, and its name in the log."""
    return ("operation", label(name, arguments)) if name in ENQUEUE else WORDS.get(name, ("array", ""))


def waited_for(name: str, arguments: Arguments) -> Iterator[list[Any]]:
    """The arrays that a call waits for (not all arrays): together, or one group after the other."""
    operands = ENQUEUE.get(name)
    if operands is not None:
        yield operands(arguments)[0]
    elif name in WAITS_FOR_ITS_LIST:
        for handle in some(arguments[2], arguments[1]):
            yield [handle]
    else:
        yield _first(arguments)


def marked(arguments: Arguments) -> list[tuple[Any, Any]]:
    """The variables of `MARK`, each with the gradient buffer that it gets."""
    return list(zip(some(arguments[1], arguments[0]), some(arguments[3], arguments[0])))


def heads(arguments: Arguments) -> Iterator[tuple[Any, list[Any]]]:
    """The heads of `BACKWARD`, each with its head gradient, if it has one."""
    count, these, gradients = arguments[:3]
    given = some(gradients, count) if isinstance(gradients, ctypes.Array) else [NDArrayHandle()] * count
    for head, gradient in zip(some(these, count), given):
        yield head, [gradient] if gradient.value else []


def new_gradients(arguments: Arguments) -> list[Any]:
    """The gradients that `BACKWARD` returns if it was asked for those of some variables."""
    count = address(arguments[3])
    return some(arguments[8]._obj, count) if count else []


def crosses(label: str) -> bool:
    """Whether work with this label is meant to move data between devices."""
    return label == COPY or label.startswith(STORE)


def label(name: str, arguments: Arguments) -> str:
    """Return the log's name of the work that this call enqueues."""
    if name in ("MXImperativeInvokeEx", "MXNetFuncCall"):
        return _NAMES.get(address(arguments[0]), name)
    if name.startswith(STORE) and name.endswith("Ex"):
        return name[: -len("Ex")]
    return {"MXInvokeCachedOpEx": "CachedOp", BACKWARD: "backward", "MXAutogradBackward": "backward"}.get(name, name)


def _operator_names() -> dict[int, str]:
    count, names = ctypes.c_uint(), ctypes.POINTER(ctypes.c_char_p)()
    check_call(_LIB.MXListAllOpNames(ctypes.byref(count), ctypes.byref(names)))
    found: dict[int, str] = {}
    for index in range(count.value):
        handle = OpHandle()
        check_call(_LIB.NNGetOpHandle(names[index], ctypes.byref(handle)))
        name = names[index].decode()
        # An operator has several names; the log has the plainest one: dot, not _sparse_dot.
        if handle.value not in found or _rank(name) < _rank(found[handle.value]):
            found[handle.value] = name
    return found


def _rank(name: str) -> tuple[bool, bool]:
    """Rank a name: public names first, then those of mxnet.nd."""
    return name.startswith("_"), name.startswith("_np")


def _function_names() -> dict[int, str]:
    """The few functions of mxnet.np with their own call."""
    functions = vars(mx.ndarray.numpy._api_internal)
    return {function.handle.value: name for name, function in functions.items() if hasattr(function, "handle")}


_NAMES = {**_operator_names(), **_function_names()}
