"""The arrays of MXNet 1.9.1: how the judge creates them and receives them."""

import ctypes
import math
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Optional

import mxnet as mx
import numpy as np
from mxnet.base import _LIB, NDArrayHandle, OpHandle, check_call
from mxnet.ndarray.ndarray import _int64_enabled as _has_large_tensors
from probe.serialization import Device, EngineArray, Later

from .calls import COPY, address
from .queues import CContext, Queues, one_handle

# Private references: student code may replace the attributes later.
_Context, _mark_variables = mx.Context, mx.autograd.mark_variables
_ARRAYS = (mx.nd.NDArray, mx.np.ndarray, mx.nd.sparse.RowSparseNDArray, mx.nd.sparse.CSRNDArray)
handle_of, _shape = mx.nd.NDArray.handle.__get__, mx.nd.NDArray.shape.fget
_dtype, _grad, _stype = mx.nd.NDArray.dtype.fget, mx.nd.NDArray.grad.fget, mx.nd.NDArray.stype.fget
_MAKE = {"": mx.nd.array, "nd": mx.nd.array, "np": mx.np.array}  # the array interfaces
_TYPES = mx.ndarray.ndarray._DTYPE_NP_TO_MX
CPU, GPU = 1, 2  # kinds of context, as the library numbers them


class FixedArray(Later):
    """The values of an array at one moment: a copy that the engine makes after all work enqueued before it.

    Attributes:
        storage: The array's storage; see `MXNetEngine.is_ready`.
        device: The number of the array's device.
    """

    def __init__(self, arrays: "MXNetArrays", array: Any):
        array = arrays.second_handle(handle_of(array))  # student code may replace the array's own handle
        self._arrays, self._shape, self._dtype = arrays, _shape(array), np.dtype(_dtype(array))
        if self._dtype.kind not in "biuf" or _stype(array) != "default":
            raise TypeError(f"{_stype(array)} arrays of {self._dtype} do not cross")
        self.storage, self.device = arrays.storage(handle_of(array)), arrays.device_number(handle_of(array))
        self.copy = None if 0 in self._shape else arrays.copy_later(array, self._shape, self._dtype)

    def read(self) -> np.ndarray:
        """Wait for the values.  Raises the error of the operation that was to compute them."""
        values = np.empty(self._shape, self._dtype)
        if self.copy is not None:
            self._arrays.read_into(values, self.copy)
        return values


class MXNetArrays:
    """Creates arrays, reads them, and compares their identity."""

    def __init__(self) -> None:
        self._invoke, self._copy_to_host = _LIB.MXImperativeInvokeEx, _LIB.MXNDArraySyncCopyToCPU
        self._detach, self._reshape = _LIB.MXNDArrayDetach, _LIB.MXNDArrayReshape64
        self._shallow_copy = _LIB.MXShallowCopyNDArray
        self._create, self._set_recording = _LIB.MXNDArrayCreateEx64, _LIB.MXAutogradSetIsRecording
        self._copy_operator = OpHandle()
        check_call(_LIB.NNGetOpHandle(ctypes.c_char_p(COPY.encode()), ctypes.byref(self._copy_operator)))
        large = _has_large_tensors()
        self._get_shape = _LIB.MXNDArrayGetShapeEx64 if large else _LIB.MXNDArrayGetShapeEx
        self._size_type: Any = ctypes.c_int64 if large else ctypes.c_int
        self._gpus = mx.context.num_gpus()
        self.queues = Queues(self._gpus)
        self._described: list[Any] = []
        self._check_storage()

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
        return type(value) in _ARRAYS

    def describe(self, value: Any, with_gradient: bool = True) -> Any:
        """Return the plain form of a context, or of an array with its values at this moment.

        Every array in an observation comes through here.  It does not wait: the values come later.  A plain form that
        was made here for this request is returned as it is.  Returns None for anything else, also for a plain form that
        student code made, and for an array that cannot be read.
        """
        if type(value) in (EngineArray, Device):
            return value if any(value is made for made in self._described) else None
        made: Optional[Any] = None
        with suppress(Exception):
            if type(value) is _Context:
                made = Device(_number(CContext(value.device_typeid, value.device_id)))
            elif self.is_array(value):
                gradient = _grad(value) if with_gradient else None
                fixed: Any = FixedArray(self, value)
                buffer: Any = None if gradient is None else FixedArray(self, gradient)
                made = EngineArray(fixed, fixed.device, gradient=buffer)
        if made is not None:
            self._described.append(made)
        return made

    def second_handle(self, handle: Any) -> Any:
        """Return another object for the array of a handle or address; it outlives the code's own and queues no work."""
        second = NDArrayHandle()
        check_call(self._detach(NDArrayHandle(address(handle)), ctypes.byref(second)))
        return mx.nd.NDArray(second)

    def keep(self, array: Any) -> Any:
        """Return another object for the array and its gradient buffer: student code may replace its own handle."""
        copy = NDArrayHandle()
        check_call(self._shallow_copy(handle_of(array), ctypes.byref(copy)))
        return mx.nd.NDArray(copy)

    def is_still(self, array: Any, copy: Any) -> bool:
        """Whether an array has exactly the memory of the kept one."""
        if not self.is_array(array) or not address(getattr(array, "handle", None)):
            return False
        handles = handle_of(array), handle_of(copy)
        return self.storage(handles[0]) == self.storage(handles[1]) and self.size(handles[0]) == self.size(handles[1])

    def storage(self, handle: Any) -> int:
        """Return the storage that an array shares with its views: the first member of the library's NDArray.

        Another array may have the same one once this one is freed.
        """
        return ctypes.c_void_p.from_address(address(handle)).value or 0

    def size(self, handle: Any) -> int:
        """Return the number of elements of an array; 0 if the library does not know: a mask may have left none."""
        count, sizes = ctypes.c_int(), ctypes.POINTER(self._size_type)()
        failed = self._get_shape(handle, ctypes.byref(count), ctypes.byref(sizes))
        return 0 if failed or count.value < 0 else math.prod(sizes[: count.value])

    def device_number(self, handle: Any) -> int:
        return _number(self.queues.context_of(handle))

    def _check_storage(self) -> None:
        one, other = mx.nd.zeros((2, 2)), mx.nd.zeros((2, 2))
        views = (one, self.second_handle(one.handle), one[1], one.reshape((4,)))
        storages = [self.storage(array.handle) for array in (*views, other)]
        if storages != [storages[0]] * len(views) + [storages[-1]] or storages[0] == storages[-1]:
            raise RuntimeError("an array of this MXNet does not begin with its storage: Syncpoint knows MXNet 1.9.1")

    def copy_later(self, array: Any, shape: tuple[int, ...], dtype: np.dtype) -> Any:
        """Enqueue a copy of an array, which is not empty."""
        # The library knows numbers without a dimension only after npx.set_np(), so such a number gets one.
        sizes = (ctypes.c_int64 * (len(shape) or 1))(*(shape or (1,)))
        context, count, copy = self.queues.context_of(handle_of(array)), ctypes.c_int(len(sizes)), NDArrayHandle()
        kind = context.dev_type if context.dev_type == GPU else CPU
        check_call(
            self._create(
                sizes, count, ctypes.c_int(kind), ctypes.c_int(context.dev_id), ctypes.c_int(1),
                ctypes.c_int(_TYPES[dtype.type]), ctypes.byref(copy),
            )
        )  # fmt: skip
        made = mx.nd.NDArray(copy)
        with self._unrecorded(), self.queues.unbulked():
            if not shape:
                flat = NDArrayHandle()
                check_call(self._reshape(handle_of(array), count, sizes, ctypes.c_bool(False), ctypes.byref(flat)))
                array = mx.nd.NDArray(flat)
            outputs = ctypes.cast(one_handle(copy), ctypes.POINTER(NDArrayHandle))
            check_call(
                self._invoke(
                    self._copy_operator, ctypes.c_int(1), one_handle(handle_of(array)), ctypes.byref(ctypes.c_int(1)),
                    ctypes.byref(outputs), ctypes.c_int(0), None, None, ctypes.byref(ctypes.POINTER(ctypes.c_int)()),
                )
            )  # fmt: skip
        self.queues.enqueued(COPY)
        return made

    @contextmanager
    def _unrecorded(self) -> Iterator[None]:
        """Keep autograd from recording this block, even if the code has left recording on."""
        before = ctypes.c_int()
        check_call(self._set_recording(ctypes.c_int(0), ctypes.byref(before)))
        try:
            yield
        finally:
            check_call(self._set_recording(before, ctypes.byref(ctypes.c_int())))

    def read_into(self, values: np.ndarray, array: Any) -> None:
        """Wait for an array, and copy its values."""
        check_call(
            self._copy_to_host(handle_of(array), values.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(values.size))
        )


def _number(context: CContext) -> int:
    """Return the course's number of a context: 0 for the host's own memory (also pinned and shared)."""
    return int({CPU: context.dev_id, GPU: context.dev_id + 1}.get(context.dev_type, 0))
