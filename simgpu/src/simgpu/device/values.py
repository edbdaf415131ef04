"""Values of storages, in the kernel process: filled when commands run.

A read that is too early finds poison; a GPU would show the memory's old content.
"""

import os
import threading
from collections.abc import Callable
from dataclasses import dataclass

import torch

from simgpu.device.allocator import OutOfMemory
from simgpu.frames import BadMessage
from simgpu.wire import Spec

address_of: Callable[[torch.UntypedStorage], int] = torch._C.StorageBase.data_ptr  # type: ignore[attr-defined]
"""Returns a storage's address: PyTorch's own function, without the front end's wrapper for programs."""
_empty = torch._C._VariableFunctions.empty  # type: ignore[attr-defined]
MARK = 113
"""The value of unwritten integers; unwritten floats are NaN and unwritten bools True."""


@dataclass(eq=False, slots=True)
class Values:
    """The content of one storage.

    Attributes:
        spec: The layout of what it was made for; None until an operation whose result's shape depends on values has
            run.
        fits: Whether it fits on the device.
        tensor: The values in ``spec``'s layout; None until something writes or reads them.
    """

    spec: Spec | None
    fits: bool = True
    tensor: torch.Tensor | None = None

    def view(self, spec: Spec, overwritten: bool = False) -> torch.Tensor:
        """Return a tensor on the storage's memory.

        Args:
            spec: The tensor's layout in the storage.
            overwritten: Whether every element is written before any is read: then memory that has no values yet need
                not be filled with poison.

        Returns:
            A tensor of the layout's sizes that shares the storage's memory.

        Raises:
            OutOfMemory: the storage did not fit when it was allocated.
            BadMessage: the layout goes beyond the storage.
        """
        own = self.spec
        if own is None:
            raise BadMessage("a storage is used before it has a layout")
        tensor = self.tensor
        if tensor is None:
            tensor = self._fill(own, overwritten and spec.dense and spec.nbytes == own.nbytes)
        if spec == own:
            return tensor
        if spec.nbytes > own.nbytes:
            raise BadMessage(f"a view of {spec.nbytes} bytes does not fit in a storage of {own.nbytes}")
        if spec.dtype != own.dtype:
            tensor = torch.empty(0, dtype=spec.dtype).set_(tensor.untyped_storage())  # type: ignore[call-overload]
        return tensor.as_strided(spec.size, spec.stride, spec.offset)

    def _fill(self, own: Spec, overwritten: bool) -> torch.Tensor:
        with _FILLING:
            if self.tensor is None:
                if not self.fits:
                    raise OutOfMemory("its memory could not be allocated")
                base = _empty(own.extent, dtype=own.dtype)
                if not overwritten:
                    poison(base)
                self.tensor = base.as_strided(own.size, own.stride, own.offset)
            return self.tensor

    def store(self, value: torch.Tensor, taken: set[int]) -> None:
        """Store a kernel's result, without a copy if possible.

        Args:
            value: The result.
            taken: Addresses of memory that belongs to others; this result's is added if it was kept.

        Raises:
            BadMessage: it is not what the front end foretold.
            OutOfMemory: the storage did not fit when it was allocated.
        """
        own = self.spec
        if own is None or value.dtype != own.dtype or tuple(value.shape) != own.size:
            raise BadMessage(
                f"the front end announced {own and (own.dtype, own.size)}, but the value is {value.dtype} "
                f"{tuple(value.shape)}"
            )
        if value.is_conj() or value.is_neg():
            value = value.resolve_conj().resolve_neg()
        with _FILLING:
            if self.tensor is None and not self.fits:
                raise OutOfMemory("its memory could not be allocated")
            if self.tensor is None:
                place = value.untyped_storage()
                same = value.stride() == own.stride
                if (
                    not own.offset
                    and not value.storage_offset()
                    and place.nbytes() >= own.nbytes
                    and (address := address_of(place)) not in taken
                    and (same or value.numel() < 2)
                ):
                    taken.add(address)
                    self.tensor = value if same else value.as_strided(own.size, own.stride)
                    return
                self.tensor = torch.empty(own.extent, dtype=own.dtype).as_strided(own.size, own.stride, own.offset)
        self.tensor.copy_(value)

    def spoil(self) -> None:
        """Note that another allocation has this memory now."""
        if self.tensor is not None:
            poison(torch.empty(0, dtype=self.tensor.dtype).set_(self.tensor.untyped_storage()))  # type: ignore[call-overload]

    def copy(self) -> "Values | None":
        """Return a copy of the values; None if nothing has touched them."""
        if self.tensor is None or self.spec is None:
            return None
        return Values(self.spec, tensor=copied(self.tensor, self.spec))


_FILLING = threading.Lock()
if hasattr(os, "register_at_fork"):  # a child may be forked while another thread fills values
    os.register_at_fork(after_in_child=_FILLING._at_fork_reinit)  # type: ignore[attr-defined]


def copied(tensor: torch.Tensor, spec: Spec) -> torch.Tensor:
    """Return a copy of the values with the spec's layout."""
    return tensor.as_strided((spec.extent,), (1,), 0).clone().as_strided(spec.size, spec.stride, spec.offset)


def poison(tensor: torch.Tensor) -> None:
    """Return the content of memory that was never written: a value that is easy to notice."""
    if tensor.is_floating_point() or tensor.is_complex():
        tensor.fill_(torch.nan)
    else:
        tensor.fill_(True if tensor.dtype == torch.bool else MARK)
