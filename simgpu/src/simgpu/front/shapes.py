"""The result shapes of operations without values, from PyTorch's meta kernels."""

import itertools
import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import torch

from simgpu.device import own_kernels
from simgpu.front.tensor import SimTensor, Storage
from simgpu.wire import Spec


@dataclass
class Foretold:
    """The result of an operation on stand-ins, tensors without values.

    Attributes:
        result: Its return value, made of stand-ins.
        stand_ins: One stand-in for each tensor argument, in order.
        before: Their layouts before the operation.
        after: Their layouts after it: an operation may change them in place.
        places: The storage argument that a stand-in's memory represents.
    """

    result: Any
    stand_ins: list[torch.Tensor]
    before: list[Spec]
    after: list[Spec]
    places: dict[int, int]


def refused(func: Any) -> NotImplementedError:
    """Return the error for an operation that this device does not support."""
    return NotImplementedError(f"simgpu: the operation {func} is not supported on this device")


def foretell(
    func: Any, args: tuple[Any, ...], kwargs: dict[str, Any], tensors: list[SimTensor], storages: dict[Storage, int]
) -> Foretold:
    """Run an operation on stand-ins; without a meta kernel in PyTorch, on the CPU with invented values.

    Raises:
        NotImplementedError: nothing can say what comes out.
        RuntimeError: PyTorch's own check of the arguments fails, as it would on CUDA.
    """
    _check_types(func, args)
    if func in META_IN_PYTHON and _is_small(func, tensors):
        with suppress(Exception):  # meta kernels raise the same errors as CUDA
            return _on(torch.device("cpu"), func, args, kwargs, tensors, storages)
    try:
        if func._schema.name in META_IS_WRONG:
            raise NotImplementedError
        return _on(torch.device("meta"), func, args, kwargs, tensors, storages)
    except NotImplementedError:
        pass
    try:
        with torch.random.fork_rng(devices=[]):
            return _on(torch.device("cpu"), func, args, kwargs, tensors, storages)
    except Exception as error:
        if func._schema.name in META_IS_WRONG and type(error) is RuntimeError:
            raise  # such an operation is supported, so its arguments are wrong; a subclass has another reason
        raise refused(func) from error


def _is_small(func: Any, tensors: list[SimTensor]) -> bool:
    """Whether arguments and results are small in bytes: a small storage can be expanded."""
    sizes = [tensor._spec.size for tensor in tensors]
    if func is aten.addmm.default:
        sizes = [(*sizes[-2][:1], *sizes[-1][-1:])]
    most = math.prod(map(max, itertools.zip_longest(*map(reversed, sizes), fillvalue=1)))
    return all(max(t._storage.nbytes, most * t._spec.dtype.itemsize) <= SMALL for t in tensors)


def _check_types(func: Any, args: tuple[Any, ...]) -> None:
    """Check that products and convolutions have one type: PyTorch's meta kernels do not, and CUDA does at once.

    Raises:
        RuntimeError: in PyTorch's words.
    """
    if func is aten.convolution.default and args[0].dtype != args[1].dtype:
        one, other = (tensor.type() for tensor in args[:2])
        raise RuntimeError(f"Input type ({one}) and weight type ({other}) should be the same")
    if func not in PRODUCTS:
        return
    first, second = args[-2:]
    if first.dtype != second.dtype:
        one, other = (str(t.dtype).removeprefix("torch.") for t in (first, second))
        raise RuntimeError(f"mat1 and mat2 must have the same dtype, but got {one} and {other}")


def _on(
    device: torch.device,
    func: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    tensors: list[SimTensor],
    storages: dict[Storage, int],
) -> Foretold:
    given, bases = stand_ins(device, tensors)
    before = [Spec.of(t) for t in given]
    result = call(func, args, kwargs, given, device)
    places = {base.untyped_storage()._cdata: storages[storage] for (storage, _), base in bases.items()}
    return Foretold(result, given, before, [Spec.of(t) for t in given], places)


def stand_ins(
    device: torch.device, tensors: Sequence[SimTensor], values: tuple[float, int] = (0.5, 0)
) -> tuple[list[torch.Tensor], dict[tuple[Storage, torch.dtype], torch.Tensor]]:
    """Return tensors of the same layouts, and the memory that they share as the given ones do.

    On the CPU, they have the first value if they are floating-point or complex, else the second.
    """
    bases: dict[tuple[Storage, torch.dtype], torch.Tensor] = {}
    made = []
    for tensor in tensors:
        place = tensor._storage, tensor._spec.dtype
        if place not in bases:
            count = max(tensor._storage.nbytes // tensor._spec.dtype.itemsize, tensor._spec.extent)
            bases[place] = torch.empty(count, dtype=tensor._spec.dtype, device=device)
            if device.type == "cpu":
                bases[place].fill_(values[not (tensor._spec.dtype.is_floating_point or tensor._spec.dtype.is_complex)])
        made.append(bases[place].as_strided(*tensor._spec[1:]))
    return made, bases


def call(
    func: Any, args: tuple[Any, ...], kwargs: dict[str, Any], given: list[torch.Tensor], device: torch.device,
    checked: Callable[..., Any] | None = None,
) -> Any:  # fmt: skip
    """Run an operation with these tensors in the place of its own ones; ``checked`` checks its arguments before."""
    rest = iter(given)

    def stand_in(value: Any) -> Any:
        if isinstance(value, SimTensor):
            return next(rest)
        if isinstance(value, torch.device):
            return device
        if isinstance(value, list | tuple):
            return type(value)(stand_in(v) for v in value)
        return value

    run = own_kernels.BY_NAME.get(str(func), func)
    positional = [stand_in(a) for a in args]  # before the keywords, because stand-ins come in this order
    named = {k: stand_in(v) for k, v in kwargs.items()}
    if checked is not None:
        positional, named = checked(func, positional, named)
    with torch.no_grad():
        return run(*positional, **named)


def is_dynamic(func: Any, args: tuple[Any, ...]) -> bool:
    """Whether the result's shape depends on values: then the host waits, as on CUDA."""
    if func in INDEXING:
        return func is aten.index.Tensor and has_mask(args)
    return torch.Tag.dynamic_output_shape in func.tags or torch.Tag.data_dependent_output in func.tags


def has_mask(args: tuple[Any, ...]) -> bool:
    """Whether one of an indexing operation's indices is a mask."""
    return any(isinstance(i, torch.Tensor) and i.dtype in (torch.bool, torch.uint8) for i in args[1])


def hidden_waits(func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> int:
    """Return how often the host waits for an operation whose result's shape is known, because CUDA reads a value."""
    name = func._schema.name
    if func in INDEXING:  # CUDA reads how many elements the mask selects
        return int(func._schema.is_mutable and has_mask(args) and args[2].numel() > 1)
    if name == "aten::normal":  # whether a standard deviation is negative
        std = args[1] if len(args) > 1 else kwargs.get("std")
        return int(isinstance(std, torch.Tensor) and std.numel() > 0)
    if name not in FACTORIZATIONS or not args[0].numel():
        return 0
    if name == "aten::_linalg_svd":  # the default algorithm must also have converged
        return 2
    if name == "aten::linalg_pinv":  # an eigh or an svd
        return 1 if kwargs.get("hermitian", False) else 2
    return 1


FACTORIZATIONS = frozenset("aten::_linalg_eigh aten::_linalg_svd aten::linalg_eig aten::linalg_pinv".split())
"""CUDA reads whether they failed (``_linalg_check_errors``)."""
META_IS_WRONG = frozenset(
    "aten::native_batch_norm aten::_native_batch_norm_legit aten::_native_batch_norm_legit_no_training "
    "aten::_embedding_bag aten::_batch_norm_with_update aten::native_layer_norm "
    "aten::_embedding_bag_forward_only aten::_native_multi_head_attention "
    "aten::kaiser_window".split()
)
"""Operations whose meta kernel predicts another shape or type than the CPU's kernel returns."""
SMALL = 1 << 14
"""Up to this many bytes in a storage or a result, the CPU's kernel takes only some microseconds."""
aten = torch.ops.aten
META_IN_PYTHON = frozenset(
    {
        aten.addcdiv_.default, aten.addcmul_.default, aten.addmm.default, aten.div.Scalar, aten.div.Tensor,
        aten.huber_loss.default, aten.lerp_.Scalar, aten.mean.default, aten.mse_loss.default, aten.relu.default,
        aten.sigmoid.default, aten.sigmoid_backward.default, aten.sqrt.default, aten.sum.dim_IntList,
        aten.tanh.default, aten.tanh_backward.default, aten.threshold_backward.default,
    }
)  # fmt: skip
"""Operations whose meta kernels are right but take a millisecond."""
PRODUCTS = frozenset({aten.mm.default, aten.mv.default, aten.addmm.default, aten.addmv.default})
INDEXING = frozenset(
    {aten.index.Tensor, aten.index_put_.default, aten.index_put.default, aten._index_put_impl_.default}
)
