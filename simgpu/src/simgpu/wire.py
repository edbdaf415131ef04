"""The encoding of tensors and arguments between the front end and the device: names, numbers and bytes.

An operation is *defined* once as JSON (a plan: the overload's name, constant arguments, layouts of what it reads and
makes)
and then *launched* by the plan's number with the numbers of its storages, as a CUDA kernel is loaded once and
launched often.
"""

import ctypes
import functools
import math
import struct
from collections.abc import Callable
from typing import Any, NamedTuple

import torch

from simgpu.frames import BadMessage

STREAMS = 128
"""Streams of one device: a stream's number is ``device * STREAMS + n``; 0 is the default stream."""
FIRST_OF_JUDGE = 1 << 62
"""The number of the first storage that a judge puts."""
MOST_DIMENSIONS, MOST_ELEMENTS = 64, 1 << 48
MOST_SLOTS = 4096
"""How many storages an operation may name, and how many numbers of a launch."""
POOL, HIGH_POOL, COMMUNICATORS = range(1, 33), range(33, 65), range(65, 128)
BATCH = "batch_isend_irecv"
"""The name of a command with several sends and receives."""

DTYPES: dict[str, torch.dtype] = {
    str(d).removeprefix("torch."): d for d in vars(torch).values() if isinstance(d, torch.dtype)
}
FORMATS: dict[str, torch.memory_format] = {
    str(f).removeprefix("torch."): f
    for f in (torch.contiguous_format, torch.channels_last, torch.channels_last_3d, torch.preserve_format)
}


class _Fields(NamedTuple):
    dtype: torch.dtype
    size: tuple[int, ...]
    stride: tuple[int, ...]
    offset: int


class Spec(_Fields):
    """The layout of a tensor in its storage: dtype, sizes, strides and offset (in elements).

    Derived values are computed once, because each launch needs them several times.
    """

    def json(self) -> list[Any]:
        """Return plain data, the inverse of ``parse``.

        Returns:
            Name of the dtype, sizes, strides and offset.

        Raises:
            NotImplementedError: it has more dimensions or elements than the device takes.
        """
        if not self._is_taken():
            text = f"a tensor of {len(self.size)} dimensions and {self.numel:,} elements"
            most = f"{MOST_DIMENSIONS} dimensions, and less than 2**48 elements"
            raise NotImplementedError(f"simgpu: {text}; the device accepts at most {most}")
        return [name_of(self.dtype), list(self.size), list(self.stride), self.offset]

    @classmethod
    def parse(cls, value: Any) -> "Spec":
        """Read the data of ``json``.

        Raises:
            BadMessage: it is no layout, or one that no storage could hold.
        """
        try:
            name, size, stride, offset = value
            dtype = DTYPES[name]
        except (TypeError, ValueError, KeyError) as error:
            raise BadMessage("invalid tensor layout") from error
        numbers = (*size, *stride, offset)
        if len(size) != len(stride) or not all(type(n) is int and n >= 0 for n in numbers):
            raise BadMessage("invalid tensor layout")
        spec = cls(dtype, tuple(size), tuple(stride), offset)
        if not spec._is_taken():
            raise BadMessage("invalid tensor layout")
        return spec

    @classmethod
    def of(cls, tensor: torch.Tensor) -> "Spec":
        """Return the layout of a plain tensor."""
        return cls(tensor.dtype, tuple(tensor.shape), tuple(tensor.stride()), int(tensor.storage_offset()))

    @functools.cached_property
    def numel(self) -> int:
        """The number of elements of the tensor."""
        return math.prod(self.size)

    @functools.cached_property
    def distinct(self) -> int:
        """The number of different elements that the tensor shows; an expanded one repeats elements."""
        return math.prod(n for n, s in zip(self.size, self.stride, strict=True) if s or not n)

    @functools.cached_property
    def extent(self) -> int:
        """The number of elements that the storage must have."""
        if 0 in self.size:
            return 0
        return self.offset + 1 + sum((n - 1) * s for n, s in zip(self.size, self.stride, strict=True))

    @functools.cached_property
    def nbytes(self) -> int:
        """The number of bytes that the storage must have."""
        return self.extent * self.dtype.itemsize

    def _is_taken(self) -> bool:
        largest = max(self.extent, self.numel, self.offset, *self.size, *self.stride)
        return len(self.size) <= MOST_DIMENSIONS and largest < MOST_ELEMENTS

    @functools.cached_property
    def dense(self) -> bool:
        """Whether the tensor is the whole of a contiguous storage."""
        wanted = 1
        for n, s in zip(reversed(self.size), reversed(self.stride), strict=True):
            if n != 1 and s != wanted:
                return False
            wanted *= n
        return self.offset == 0


def rounded(nbytes: int) -> int:
    """Return bytes as the allocator counts them: in blocks of 512, like PyTorch's on CUDA."""
    return -(-nbytes // 512) * 512


def name_of(thing: object) -> str:
    """``float32`` for ``torch.float32``."""
    return str(thing).removeprefix("torch.")


def launch_body(storages: int, values: int, random: bool) -> struct.Struct:
    """Return the body of a LAUNCH: plan, stream, storages read and made, values of this launch, a seed."""
    return struct.Struct(f"<II{storages}Q{values}d{'Q' if random else ''}")


def encode(value: object) -> object:
    """Return a constant argument as JSON.

    Returns:
        Plain data.

    Raises:
        TypeError: it has no place on the wire (a generator, a module, a sparse layout).
    """
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return {"float": repr(value)}
        case complex():
            return {"complex": [repr(value.real), repr(value.imag)]}
        case torch.dtype():
            return {"dtype": name_of(value)}
        case torch.layout() if value is torch.strided:
            return {"layout": "strided"}
        case torch.memory_format():
            return {"format": name_of(value)}
        case torch.device():
            return {"device": True}
        case list() | tuple():
            return [encode(v) for v in value]
    raise TypeError(f"{type(value).__name__} cannot be sent to the device")


def decode(value: object, slot: Callable[[str, Any], object]) -> object:
    """The inverse of ``encode``.

    Args:
        value: What ``encode`` wrote.
        slot: Called with kind and content: the placeholder of a tensor or a value that differs per launch.

    Raises:
        BadMessage: it is nothing that ``encode`` writes.
    """
    match value:
        case None | bool() | int() | str():
            return value
        case list():
            return [decode(v, slot) for v in value]
        case {"float": str(text)}:
            return _number(float, text)
        case {"complex": [str(real), str(imag)]}:
            return complex(_number(float, real), _number(float, imag))
        case {"dtype": str(name)} if name in DTYPES:
            return DTYPES[name]
        case {"layout": "strided"}:
            return torch.strided
        case {"format": str(name)} if name in FORMATS:
            return FORMATS[name]
        case {"device": True}:
            return torch.device("cpu")
        case {"tensor": int(n)}:
            return slot("tensor", n)
        case {"value": [int(n), dtype]} if dtype is None or dtype in DTYPES:
            return slot("value", (n, DTYPES[dtype] if dtype else None))
        case {"host": [str(dtype), constant]} if dtype in DTYPES and not isinstance(constant, list):  # one number
            return torch.tensor(decode(constant, slot), dtype=DTYPES[dtype])
    raise BadMessage("invalid argument")


def _number(kind: type[float], text: str) -> float:
    try:
        return kind(text)
    except ValueError as error:
        raise BadMessage("invalid number") from error


def bytes_of(tensor: torch.Tensor) -> memoryview:
    """Return the memory of a contiguous CPU tensor, shared and valid as long as the tensor."""
    n = tensor.numel() * tensor.element_size()
    if not n:
        return memoryview(b"")
    memory: Any = (ctypes.c_char * n).from_address(tensor.data_ptr())
    memory.tensor = tensor
    return memoryview(memory).cast("B")


def tensor_of(data: bytes | bytearray | memoryview, spec: Spec) -> torch.Tensor:
    """Return a contiguous CPU tensor with a copy of these bytes.

    Returns:
        A tensor of the spec's dtype and sizes.

    Raises:
        BadMessage: the number of bytes does not fit.
    """
    if len(data) != spec.numel * spec.dtype.itemsize:
        raise BadMessage("wrong number of bytes")
    return (
        torch.frombuffer(bytearray(data), dtype=spec.dtype).view(spec.size)
        if data
        else torch.empty(spec.size, dtype=spec.dtype)
    )
