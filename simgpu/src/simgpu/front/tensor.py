"""Tensors whose values are on the device: a storage number and a layout."""

import itertools
import threading
from collections.abc import Callable
from typing import Any, ClassVar

import torch
from torch import _tensor_str
from torch.utils import _mode_utils

from simgpu.front import state
from simgpu.front.link import let_go, link
from simgpu.wire import STREAMS, Spec, rounded

ROOM = 1 << 40
"""The size in bytes that the empty storage behind a handle reports; the device checks bounds."""

_numbers = itertools.count(1)
_known: dict[tuple[int, Spec, int], "Layout"] = {}
_making = threading.Lock()
Handler = Callable[..., Any]


class Storage:
    """A piece of device memory; freed with its last tensor.

    Attributes:
        number: Its number on the device.
        gradient_on: The stream on which a node of the backward pass computed it; None for any other storage.
        device: Its device.
        nbytes: Its size.
        counted: Its size as the allocator counts it.
        read_only: Whether it represents a conjugate view, which is a copy here.
    """

    __slots__ = ("__weakref__", "counted", "device", "gradient_on", "nbytes", "number", "read_only")

    def __init__(self, stream: int, nbytes: int, counted: int | None = None, number: int | None = None) -> None:
        self.number = next(_numbers) if number is None else number
        self.gradient_on: int | None = None
        self.device, self.nbytes = stream // STREAMS, nbytes
        self.counted = rounded(nbytes) if counted is None else counted
        self.read_only = False

    def address(self) -> int:
        """Return its address on the device, without waiting for work."""
        return int(link().call("address", storage=self.number))

    def __del__(self) -> None:
        if getattr(self, "number", 0):  # Dynamo makes objects without __init__
            let_go(self.number, self.device, self.counted)


class Layout:
    """A layout in a storage of some size on a device; each is one object, which identifies plans."""

    __slots__ = ("device", "nbytes", "spec")

    def __init__(self, device: int, spec: Spec, nbytes: int) -> None:
        self.device, self.spec, self.nbytes = device, spec, nbytes


def key_of(device: int, spec: Spec, nbytes: int) -> Layout:
    """Return the only object for a layout in a storage of some size on a device."""
    found = _known.get((device, spec, nbytes))
    if found is None:
        with _making:
            found = _known.setdefault((device, spec, nbytes), Layout(device, spec, nbytes))
    return found


class _Saving(threading.local):
    old_format = False
    """Whether this thread is in ``torch.save`` with its old format."""


SAVING = _Saving()


class SimTensor(torch.Tensor):
    """A tensor on the device; only its values are not here."""

    __torch_function__ = torch._C._disabled_torch_function_impl
    _storage: Storage
    _spec: Spec
    _key: Layout

    handle: ClassVar[Handler]
    """The function that runs an operation; :mod:`simgpu.front.dispatch` sets it."""
    assign: ClassVar[Handler]
    """The function behind ``tensor.data = value``; :mod:`simgpu.front.tensor_data` sets it."""

    @staticmethod
    def make(storage: Storage, spec: Spec, key: Layout) -> "SimTensor":
        """Create a tensor in a storage."""
        tensor = torch.Tensor._make_wrapper_subclass(  # type: ignore[attr-defined]
            SimTensor,
            spec[1],
            strides=spec[2],
            storage_offset=spec[3],
            dtype=spec[0],
            device=state.IN_CPP[storage.device],
            storage_size=ROOM,
        )
        tensor._storage, tensor._spec, tensor._key = storage, spec, key
        return tensor  # type: ignore[no-any-return]

    @staticmethod
    def at(storage: Storage, spec: Spec) -> "SimTensor":
        """Return a tensor in a storage, perhaps with a new layout."""
        return SimTensor.make(storage, spec, key_of(storage.device, spec, storage.nbytes))

    def lie(self, storage: Storage, spec: Spec) -> None:
        """Change in place where this tensor is stored."""
        if spec != self._spec:
            with _mode_utils.no_dispatch(), torch._C._AutoDispatchBelowAutograd():
                torch.ops.aten.as_strided_.default(self, spec.size, spec.stride, spec.offset)
        self._storage, self._spec, self._key = storage, spec, key_of(storage.device, spec, storage.nbytes)

    @classmethod
    def __torch_dispatch__(
        cls, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        return SimTensor.handle(func, args, kwargs or {})

    @property
    def data(self) -> "SimTensor":  # type: ignore[override]
        """As ``torch.Tensor.data``."""
        return torch._C.TensorBase.data.__get__(self)  # type: ignore[attr-defined,no-any-return]

    @data.setter
    def data(self, value: torch.Tensor) -> None:
        SimTensor.assign(self, value)

    def data_ptr(self) -> int:
        """Return the address on the device, without waiting for work."""
        return self._storage.address() + self._spec.offset * self._spec.dtype.itemsize

    def untyped_storage(self) -> torch.UntypedStorage:
        """As ``torch.Tensor.untyped_storage``: it has a size and an address, but no bytes on the host."""
        storage = torch._C.TensorBase.untyped_storage(self)
        storage.simgpu_storage = self._storage  # type: ignore[attr-defined]
        return storage

    def as_subclass(self, cls: type[torch.Tensor]) -> Any:
        """As ``torch.Tensor.as_subclass``; only the tensor's own class is accepted."""
        return self.view_as(self) if cls in (torch.Tensor, SimTensor) else torch.Tensor._make_subclass(cls, self)

    def __dlpack__(self, **_: Any) -> Any:
        """Refuse: the caller would read memory that is not in this process.

        Raises:
            NotImplementedError: always.
        """
        raise NotImplementedError(
            "simgpu: DLPack shares memory, but this tensor's memory is in the device's process. Use .cpu()."
        )

    def __dlpack_device__(self) -> Any:
        """Refuse as ``__dlpack__`` does, which readers call next."""
        return self.__dlpack__()

    @property
    def __cuda_array_interface__(self) -> Any:
        """Refuse: no driver knows the address. ``hasattr`` finds nothing.

        Raises:
            NotSimulated: always.
        """
        raise state.NotSimulated(
            "simgpu: __cuda_array_interface__ shares memory, but this tensor's memory is in the device's process. "
            "Use .cpu()."
        )

    def tolist(self) -> list[Any]:
        """As ``torch.Tensor.tolist``: a wait."""
        return self.detach().cpu().tolist()  # type: ignore[no-any-return]

    def numpy(self, *, force: bool = False) -> Any:
        """As on CUDA: refused unless forced; then it copies to the host, which is a wait."""
        if force:
            return self.detach().cpu().numpy()
        raise TypeError(
            f"can't convert {self.device} device type tensor to numpy. "
            "Use Tensor.cpu() to copy the tensor to host memory first."
        )

    def __array__(self, *_: Any) -> Any:
        return self.numpy()

    def __repr__(self, **_: Any) -> str:  # type: ignore[override]
        """As PyTorch prints a tensor on CUDA: a wait."""
        with torch.no_grad():
            host = self.detach().cpu()
        suffixes, usual = [f"device='{self.device}'"], {torch.get_default_dtype()}
        contents = _tensor_str._tensor_str(host, len("tensor(")) if self.numel() else "[]"
        if self.numel():
            usual |= {torch.int64, torch.bool, torch.get_default_dtype().to_complex()}
        elif self.dim() != 1:
            suffixes.append(f"size={tuple(self.shape)}")
        if self.dtype not in usual:
            suffixes.append(f"dtype={self.dtype}")
        if self.requires_grad:
            suffixes.append(self._gradient_in_words())
        text = _tensor_str._add_suffixes(f"tensor({contents}", suffixes, len("tensor("), False)
        return f"Parameter containing:\n{text}" if self._is_parameter else text

    def _gradient_in_words(self) -> str:
        try:
            node = self.grad_fn
        except RuntimeError:  # a view made without gradients and written to later
            return "grad_fn=<Invalid>"
        return "requires_grad=True" if node is None else f"grad_fn=<{type(node).__name__}>"

    @property
    def _is_parameter(self) -> bool:
        return getattr(self, "_is_param", False)

    def __format__(self, spec: str) -> str:
        return format(self.item() if self.dim() == 0 else str(self), spec)

    def __reduce_ex__(self, protocol: Any) -> Any:
        if self._is_parameter:
            return torch._utils._rebuild_parameter, (self.data, self.requires_grad, {})
        if SAVING.old_format:
            raise NotImplementedError(
                "simgpu: torch.save cannot write a tensor of this device in its old format. Leave out "
                "_use_new_zipfile_serialization=False, or save tensor.cpu()."
            )
        parts = self.detach().cpu(), self.dtype, str(self.device), self.requires_grad
        return torch._utils._rebuild_device_tensor_from_cpu_tensor, parts

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        if id(self) not in memo:
            if not self.is_leaf:
                raise RuntimeError(
                    "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol "
                    "at the moment."
                )
            copy: Any = self.detach().clone().requires_grad_(self.requires_grad)
            if self._is_parameter:
                copy._is_param = True
            if self.grad is not None:
                copy.grad = self.grad.__deepcopy__(memo)
            memo[id(self)] = copy
        return memo[id(self)]

    def new_tensor(
        self, data: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
    ) -> torch.Tensor:
        """As ``torch.Tensor.new_tensor``."""
        return torch.tensor(data, dtype=dtype or self.dtype, device=device or self.device, requires_grad=requires_grad)

    def record_stream(self, stream: Any) -> None:
        """As ``torch.Tensor.record_stream``: the memory is not used again before this stream reaches this point."""
        link().say("record stream", storage=self._storage.number, stream=stream.stream_id)

    def is_pinned(self, device: Any = None) -> bool:
        """Never: it is device memory."""
        return False

    def share_memory_(self) -> Any:
        """As on CUDA: nothing to do."""
        return self

    @property
    def is_simgpu(self) -> bool:
        """Whether it is on a simulated device."""
        return True
