"""Errors at once: an operation that CUDA refuses in the caller's line is refused when its plan is made.

PyTorch's meta kernels foretell shapes, but many of them check less than CUDA does, or in other words. Its CPU kernels
make the checks that CUDA makes on the host, in the same words. So an operation is tried on the CPU with invented
values: whole while it is small, else with shrunk tensors, which show only that a type or the number of dimensions is
wrong. An error that comes whatever the values are would otherwise be raised at a later wait.
"""

import contextlib
import re
import traceback
from collections.abc import Sequence
from typing import Any

import torch

from simgpu.device import checks
from simgpu.front import shapes
from simgpu.front.tensor import SimTensor, Storage

aten = torch.ops.aten
SMALL = 1 << 16
"""Up to this many bytes in each storage and in all results, an operation is tried as it is."""
NEAR = 64
"""With integers and numbers of tensors up to this one, shrunk tensors make no large result."""
LARGE = 1 << 26
"""Up to this many elements, the words for an error of a meta kernel are looked for."""
UNTRIED = re.compile(r"backward|linalg|::lu_|ctc_loss|segment_reduce|lstsq|geqrf|orgqr|ormqr|_foreach_|_fused_|_amp_")
"""Operations whose kernels trust other kernels, depend on values, or take long."""
NO_SIZE = re.compile(
    r"not implemented for|scalar type|\bdtypes?\b|data type|should be the same|Dimension out of range|to be a vector"
)
"""In the words of errors that no size causes."""
HALF = re.compile(r"'(Half|BFloat16|ComplexHalf|Float8\w*)'")
"""Types that a CPU's kernel may lack and CUDA's has."""
INTEGERS = frozenset({torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64})
BYTE, HALVES = frozenset({torch.uint8}), frozenset({torch.float16, torch.bfloat16})
NOT_ON_CUDA = {
    "mm": ("addmm_cuda", INTEGERS),
    "addmm": ("addmm_cuda", INTEGERS),
    "addbmm": ("addmm_cuda", INTEGERS),
    "mv": ("addmv_impl_cuda", INTEGERS),
    "addmv": ("addmv_impl_cuda", INTEGERS),
    "bmm": ("baddbmm_cuda", INTEGERS),
    "baddbmm": ("baddbmm_cuda", INTEGERS),
    "dot": ("dot", INTEGERS),
    "vdot": ("vdot", INTEGERS),
    "convolution": ("slow_conv2d_cuda", INTEGERS),
    "avg_pool2d": ("avg_pool2d_out_cuda_frame", INTEGERS),
    "avg_pool3d": ("avg_pool3d_out_cuda", INTEGERS),
    "max_pool2d_with_indices": ("max_pool2d_with_indices_out_cuda_frame", INTEGERS),
    "max_pool3d_with_indices": ("max_pool3d_with_indices_out_frame", INTEGERS),
    "upsample_bilinear2d": ("upsample_bilinear2d_out_frame", BYTE),
    "upsample_bicubic2d": ("upsample_bicubic2d_out_frame", BYTE),
    "_upsample_bilinear2d_aa": ("upsample_bilinear2d_out_frame", BYTE),
    "native_dropout_backward": ("masked_scale", INTEGERS | {torch.bool}),
    "angle": ("angle_cuda", HALVES),
    "histc": ("histc", HALVES),
    "igamma": ("igamma_cuda", HALVES),
    "igammac": ("igammac_cuda", HALVES),
}
"""Types that the CPU computes and CUDA does not, by operation, with the name of CUDA's kernel. PyTorch's operator
database lists these types (``dtypesIfCUDA``)."""
NAMES = {
    torch.uint8: "Byte", torch.int8: "Char", torch.int16: "Short", torch.int32: "Int", torch.int64: "Long",
    torch.bool: "Bool", torch.float16: "Half", torch.bfloat16: "BFloat16",
}  # fmt: skip


def check_types(func: Any, tensors: Sequence[SimTensor]) -> None:
    """Refuse types that CUDA does not compute, in its words.

    Raises:
        NotImplementedError: it is such a type.
    """
    kernel, types = NOT_ON_CUDA.get(checks.operation(func), ("", frozenset()))
    if tensors and types.issuperset(tensor.dtype for tensor in tensors):
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{NAMES[tensors[0].dtype]}'")


def in_words_of_cuda(
    error: Exception, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any], tensors: Sequence[SimTensor]
) -> Exception:
    """Return the error with which a kernel refuses what a meta kernel has refused, or the meta kernel's."""
    if isinstance(error, NotImplementedError) or UNTRIED.search(func._schema.name) or not _is_of_python(error):
        return error
    if func._schema.is_mutable or sum(tensor._spec.numel for tensor in tensors) > LARGE:
        return error
    found = _error(func, args, kwargs, [_repeated(tensor, tensor._spec.size) for tensor in tensors])
    return error if found is None or isinstance(found, ValueError | NotImplementedError) else found


def _is_of_python(error: Exception) -> bool:
    """Whether a meta kernel in Python has raised an error; those in C++ share their checks with CUDA."""
    frames = traceback.extract_tb(error.__traceback__)
    return any(
        re.search(r"[/\\]torch[/\\]_(meta_registrations|refs|prims|prims_common|decomp)\b", f.filename) for f in frames
    )


def check(
    func: Any, args: tuple[Any, ...], kwargs: dict[str, Any], tensors: Sequence[SimTensor],
    storages: dict[Storage, int], nbytes: int,
) -> None:  # fmt: skip
    """Try an operation whose results have so many bytes.

    Raises:
        Exception: it is refused whatever the values are.
    """
    if UNTRIED.search(func._schema.name) or _points_nowhere(tensors):
        return
    sizes = [tensor._spec.numel * tensor._spec.dtype.itemsize for tensor in tensors]  # an expanded one may be large
    small = max([nbytes, *sizes, *(storage.nbytes for storage in storages)]) <= SMALL
    if not small and max(len(tensors), _largest((args, tuple(kwargs.values())))) > NEAR:
        return

    def tried(number: float, integer: int) -> Exception | None:
        if small:
            given = shapes.stand_ins(torch.device("cpu"), tensors, (number, integer))[0]
        else:
            given = [_shrunk(tensor, number if tensor.is_floating_point() else integer) for tensor in tensors]
        return _error(func, args, kwargs, given)

    error = tried(0.5, 0)
    if error is not None and (small or NO_SIZE.search(str(error))):
        other = tried(1.0, 1)
        if type(other) is type(error) and str(other) == str(error):
            error = _renamed(error)
            raise error from None
    if func is aten.convolution.default and not small:
        _check_convolution(func, args, kwargs, tensors)
    elif func in shapes.INDEXING and func is not aten.index.Tensor and not small and not shapes.has_mask(args):
        meta = [torch.empty(tensor._spec.size, dtype=tensor._spec.dtype, device="meta") for tensor in tensors]
        shapes.call(_check_put, args, kwargs, meta, torch.device("meta"))


def _largest(value: Any) -> int:
    """Return the largest integer in arguments, from which a kernel may make a size."""
    if isinstance(value, list | tuple):
        return max(map(_largest, value), default=0)
    return value if isinstance(value, int) else 0


def _points_nowhere(tensors: Sequence[SimTensor]) -> bool:
    """Whether there may be indices and nothing that they can point to."""
    return any(not tensor._spec.numel for tensor in tensors) and any(tensor.dtype in INTEGERS for tensor in tensors)


def _check_convolution(func: Any, args: tuple[Any, ...], kwargs: dict[str, Any], tensors: Sequence[SimTensor]) -> None:
    """Try a large convolution without a batch, which computes nothing; its error is that of the whole one."""
    batch, *rest = tensors
    if batch.dim() != rest[0].dim():
        return
    empty = [_repeated(batch, (0, *batch._spec.size[1:])), *(_repeated(tensor, tensor._spec.size) for tensor in rest)]
    if _error(func, args, kwargs, empty) is not None:
        error = _error(func, args, kwargs, [_repeated(tensor, tensor._spec.size) for tensor in tensors])
        if error is not None:
            raise error from None


def _check_put(x: torch.Tensor, indices: list[Any], values: torch.Tensor, *_: Any, **__: Any) -> None:
    """Check that values can be put into the indexed part of a tensor. Raises RuntimeError."""
    part = aten.index.Tensor(x, indices).shape
    try:
        values.expand(part)
    except RuntimeError:
        raise RuntimeError(
            f"shape mismatch: value tensor of shape {list(values.shape)} cannot be broadcast to indexing result of "
            f"shape {list(part)}"
        ) from None


def _error(func: Any, args: tuple[Any, ...], kwargs: dict[str, Any], given: list[torch.Tensor]) -> Exception | None:
    draws = torch.Tag.nondeterministic_seeded in func.tags
    try:
        with torch.random.fork_rng(devices=[]) if draws else contextlib.nullcontext():
            shapes.call(func, args, kwargs, given, torch.device("cpu"), checks.checked)
    except Exception as error:
        return error
    return None


def _renamed(error: Exception) -> Exception:
    """Return an error with the name of CUDA's kernel, which lacks the type as the CPU's does."""
    text = str(error)
    if '_cpu"' in text and "not implemented for" in text and not HALF.search(text):
        return type(error)(text.replace('_cpu"', '_cuda"'))
    return error


def _repeated(tensor: SimTensor, size: Sequence[int]) -> torch.Tensor:
    """Return a tensor of this size that is one number."""
    return torch.ones(1, dtype=tensor.dtype).as_strided(size, [0] * len(size))


def _shrunk(tensor: SimTensor, value: float) -> torch.Tensor:
    """Return a tensor of at most two numbers in each dimension."""
    return torch.empty([min(size, 2) for size in tensor._spec.size], dtype=tensor.dtype).fill_(value)
