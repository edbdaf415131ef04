"""Checks before a kernel runs, because PyTorch's CPU kernels were not written for hostile arguments.

Three rules, all taken from the operator's schema:

- **Types**, once for each plan: no None for a tensor, no number for a type.
- **Shapes**, once for each plan. A backward operation trusts that its gradient and the tensors saved by the forward
  operation have the shapes that the forward operation makes. So the forward operation runs on tensors without values,
  and the shapes are compared.
- **Values**, at each launch. Arguments that say *where* a kernel reads or writes (indices, labels, offsets, lengths,
  pivots) must be within the tensor that they point into.

``python -m simgpu.fuzz`` searches for calls that pass these checks and still do harm.
"""

import functools
import re
from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any, TypeAlias

import torch
from torch import Tensor

from simgpu import operations

POINT = frozenset(
    "index indices target targets offsets offset2bag lengths input_lengths target_lengths pivots LU_pivots sorter "
    "repeats random_samples bag_size maximum_indices".split()
)
"""Arguments whose values say where a kernel reads or writes, by their names in the schemas."""
Op: TypeAlias = torch._ops.OpOverload
Named = dict[str, Any]


@functools.cache
def _names(op: Op) -> tuple[str, ...]:
    return tuple(operations.schema(op))


@functools.cache
def _defaults(op: Op) -> Named:
    return {a.name: a.default_value for a in op._schema.arguments if a.has_default_value()}


def named(op: Op, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Named:
    """Return all arguments of a call by their names in the schema, with defaults."""
    return _defaults(op) | dict(zip(_names(op), args, strict=False)) | dict(kwargs)


def checked(op: Op, args: list[Any], kwargs: dict[str, Any], shapes: bool = True) -> tuple[list[Any], dict[str, Any]]:
    """Refuse arguments with which a kernel would read or write outside its tensors.

    Args:
        op: The operation.
        args: Its positional arguments.
        kwargs: Its arguments by name.
        shapes: Whether to compare shapes; those of a plan are always the same.

    Returns:
        The arguments to run it with. Checked values are copies, so that no other stream can change them.

    Raises:
        IndexError: values point beyond what they point into.
        ValueError: shapes do not belong together.
    """
    rules, written = _rules(op), _written(op)
    if shapes:
        _check_types(op, args, kwargs)
        if _forward(op):
            _check_backward(op, named(op, args, kwargs))
    if rules or _forward(op):
        args = [v if n in written else _own(n, v) for n, v in zip(_names(op), args, strict=False)]
        kwargs = {n: v if n in written else _own(n, v) for n, v in kwargs.items()}
    if rules:
        given = SimpleNamespace(**named(op, args, kwargs))
        for rule in rules:
            rule(given)
    return args, kwargs


def looks(op: Op) -> bool:
    """Whether ``checked`` checks each launch of an operation, not only the first one of a plan."""
    return bool(_rules(op)) or _forward(op) is not None


@functools.cache
def _written(op: Op) -> frozenset[str]:
    return frozenset(a.name for a in operations.schema(op).values() if a.is_written)


def _own(name: str, value: Any) -> Any:
    """Copy arguments that name places, and tensors with gaps or overlaps, which kernels treat as contiguous."""
    if not isinstance(value, Tensor):
        return value
    if name in POINT:
        return value.clone(memory_format=torch.contiguous_format)
    whole = value.is_contiguous() or torch.ops.aten.is_non_overlapping_and_dense.default(value)
    return value if whole else value.contiguous()


@functools.cache
def _rules(op: Op) -> tuple[Callable[[Any], None], ...]:
    return tuple(rule for pattern, rule in RULES if re.fullmatch(pattern, operation(op)))


def operation(op: Op) -> str:
    """Return the name that an operation's overloads and its in-place form share."""
    return str(op).split(".")[1].rstrip("_")


# ---- types: PyTorch accepts None for any tensor, and a number or a tensor for a type or a layout


def _check_types(op: Op, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
    for argument, value in operations.arguments(op, args, kwargs):
        kind = argument.kind
        if (
            (value is None and not kind.startswith("Optional"))
            or (kind == "List[Tensor]" and isinstance(value, list) and any(v is None for v in value))
            or (isinstance(value, Tensor) and not re.search("Tensor|number", kind))
            or (isinstance(value, int) and re.search("ScalarType|Layout|MemoryFormat", kind))
        ):
            raise ValueError(f"{argument.name} must be a {kind}")
        if argument.is_written and isinstance(value, Tensor) and _overlaps(value):
            raise ValueError(f"{argument.name} is written to, but some of its elements share memory")
        if argument.name == "reduction" and value not in (0, 1, 2):
            raise ValueError(f"there is no reduction {value}")


def _overlaps(tensor: Tensor) -> bool:
    return any(n > 1 and not s for n, s in zip(tensor.shape, tensor.stride(), strict=True)) and tensor.numel() > 0


# ---- shapes: a backward operation's inputs must have the shapes that the forward operation produces


@functools.cache
def _forward(op: Op) -> tuple[Op, Named] | None:
    """Return the forward operation of a backward one, and its arguments with other names."""
    base, backward, _ = re.sub(r"_(impl|data)$", "", operation(op)).rpartition("_backward")
    if not backward or torch.Tag.pointwise in op.tags or "batch_norm" in base:
        return None
    base = base.lstrip("_")
    for name in (f"{base}_forward", f"_{base}_forward", f"_{base}", base):
        packet = getattr(torch.ops.aten, name, None)
        for overload in packet.overloads() if packet is not None else ():
            forward: Op = getattr(packet, overload)
            others = _others(forward, {a.name for a in op._schema.arguments})
            if others is not None and not any(a.is_out for a in forward._schema.arguments):
                return forward, others
    return None


def _others(forward: Op, known: set[str]) -> Named | None:
    """Return a value for an argument that a backward operation lacks and no shape depends on; or None."""
    found: Named = {}
    for argument in forward._schema.arguments:
        kind = str(argument.type)
        if argument.name in known or argument.has_default_value():
            continue
        if not kind.startswith("Optional") and kind not in ("float", "bool"):
            return None
        found[argument.name] = {"float": 0.5, "bool": True}.get(kind)
    return found


def _check_backward(op: Op, given: Named) -> None:
    forward, others = _forward(op) or (None, {})
    if forward is None:
        return
    used = {a.name for a in forward._schema.arguments}
    call = {name: _meta(value) for name, value in given.items() if name in used} | others
    try:
        with torch.no_grad():
            result = forward(**call)
    except NotImplementedError:
        return
    made = [t for t in (result if isinstance(result, tuple | list) else [result]) if isinstance(t, Tensor)]
    outs = {a.name for a in op._schema.arguments if a.is_out}
    rest = [n for n, v in given.items() if n not in used | outs and isinstance(v, Tensor)]
    grads = [n for n in rest if n.startswith("grad")]
    kept = [n for n in rest if n not in grads]
    for name, wanted in (*zip(grads, made, strict=False), *zip(kept, made[-len(kept) :], strict=False)):
        if given[name].shape != wanted.shape:
            raise ValueError(
                f"{name} has the shape {list(given[name].shape)}, but {forward} makes {list(wanted.shape)}"
            )


def _meta(value: Any) -> Any:
    if isinstance(value, Tensor):
        return torch.empty_strided(value.shape, value.stride(), dtype=value.dtype, device="meta")
    return [_meta(v) for v in value] if isinstance(value, list) else value


# ---- values: arguments that decide where a kernel reads or writes


def _within(indices: Any, size: int, what: str, low: int = 0) -> None:
    """Check that indices, in a tensor or list, are from ``low`` to ``size - 1``.

    Raises:
        IndexError: some are not.
    """
    indices = torch.as_tensor(indices)
    if not indices.numel():
        return
    least, most = (int(n) for n in indices.aminmax())
    if least < low or most >= size:
        raise IndexError(f"{what} are out of range: from {least} to {most}, but must be from {low} to {size - 1}")


def _but(indices: Tensor, ignored: int) -> Tensor:
    """Return the values that are not ignored."""
    return indices[indices != ignored] if bool((indices == ignored).any()) else indices


def _same(one: Any, other: Any, what: str) -> None:
    """Check that two shapes, or numbers, are equal.

    Raises:
        ValueError: they are not.
    """
    if one != other:
        raise ValueError(f"{what} differ: {one} and {other}")


def _labels(a: Any) -> None:
    _within(_but(a.target, a.ignore_index), a.self.shape[1 if a.self.dim() > 1 else 0], "labels")


def _rows(a: Any) -> None:
    _within(_but(a.indices, a.padding_idx), a.num_weights, "indices of an embedding")
    _same(a.grad_output.shape[:-1], a.indices.shape, "a gradient and its indices")


def _pooled(dims: int) -> Callable[[Any], None]:
    """Check the backward pass of a pooling over the last dimensions: each index is within the input's."""

    def rule(a: Any) -> None:
        given, own = a.grad_output.shape, a.self.shape
        _same((len(given), given[:-dims]), (len(own), own[:-dims]), "a gradient and its input")
        if given.numel() and not own.numel():
            raise ValueError("the input of this gradient has no elements")
        if hasattr(a, "indices"):
            _same(a.indices.shape, given, "indices and a gradient")
            _within(a.indices, own[-dims:].numel(), "indices of a pooling")

    return rule


def _offsets(offsets: Tensor, count: int) -> None:
    _within(offsets, count + 1, "offsets of bags")
    _within(offsets.diff(), count + 1, "lengths of bags")


def _bags(a: Any) -> None:
    """Check the rows of the weight, and the beginning of each bag."""
    _within(a.indices, a.weight.shape[0], "indices of an embedding")
    _offsets(a.offsets, a.indices.numel())
    if a.per_sample_weights is not None:
        _same(a.per_sample_weights.shape, a.indices.shape, "weights and indices")


def _bags_backward(a: Any) -> None:
    count, rows = a.indices.numel(), a.weight.shape[0] if hasattr(a, "weight") else a.num_weights
    _same(a.grad.dim(), 2, "dimensions of a gradient")
    _within(a.indices, rows, "indices of an embedding")
    _offsets(a.offsets, count)
    bags = a.grad.shape[0]
    if a.offset2bag.numel():
        _same(a.offset2bag.shape, a.indices.shape, "bags and indices")
        _within(a.offset2bag, bags, "bags")
    elif a.offsets.numel() > bags and (a.offsets.numel() > bags + 1 or int(a.offsets[-1]) != count):
        raise ValueError(f"there are {a.offsets.numel()} offsets for {bags} bags")
    if getattr(a, "per_sample_weights", None) is not None:
        _same(a.per_sample_weights.shape, a.indices.shape, "weights and indices")
    if hasattr(a, "weight"):
        _same(a.grad.shape[1], a.weight.shape[1], "columns")
    elif a.mode == 1 and a.bag_size.numel() < bags:
        raise ValueError(f"there are {a.bag_size.numel()} sizes for {bags} bags")
    elif a.mode == 2:
        _same(a.maximum_indices.shape, a.grad.shape, "maximum_indices and a gradient")
        _within(a.maximum_indices, rows, "indices of an embedding", low=-1)


def _softmax_backward(a: Any) -> None:
    _same(a.grad_output.shape, a.output.shape, "a gradient and its output")


def _batch_norm(a: Any) -> None:
    """Check for one number for each channel in everything that a normalization stores."""
    shape = a.input.shape
    backward, training = hasattr(a, "grad_out"), any(getattr(a, n, False) for n in ("training", "train", "update"))
    training |= not any(hasattr(a, n) for n in ("training", "train", "update"))
    kept = ["running_mean", "running_var"]
    saved = ["save_mean", "save_invstd" if hasattr(a, "save_invstd") else "save_var"] if backward else []
    if len(shape) < 2:
        raise ValueError("the input has no channels")
    for name in ("weight", "bias", *kept, *saved):
        tensor = getattr(a, name, None)
        if tensor is not None and (tensor.shape != shape[1:2]) and not (name in saved and not training):
            raise ValueError(f"{name} has the shape {list(tensor.shape)}, but there are {shape[1]} channels")
    needed = (saved if training else kept) if backward or not training else []
    if any(getattr(a, name, None) is None for name in needed):
        raise ValueError(f"the normalization needs {' and '.join(needed)}")
    if backward:
        _same(a.grad_out.shape, shape, "a gradient and its input")


def _transform(a: Any) -> None:
    """Check a Fourier transform, whose dimensions count from 0 here."""
    _within(a.dim, a.self.dim(), "dimensions")
    _within(a.normalization, 3, "ways to normalize")
    if not a.dim or len(set(a.dim)) < len(a.dim):
        raise ValueError("a transform needs at least one dimension, and no dimension twice")
    if hasattr(a, "last_dim_size"):
        _same(a.self.shape[a.dim[-1]], a.last_dim_size // 2 + 1, "sizes of a transform")


def _scales(a: Any) -> None:
    """Check that scales are plausible for a picture."""
    told = [getattr(a, name, None) for name in ("scales", "scales_d", "scales_h", "scales_w")]
    for scale in (*told, *(getattr(a, "scale_factors", None) or ())):
        if scale is not None and not 1e-3 <= scale <= 1e3:
            raise ValueError(f"a scale must be from 0.001 to 1000, but is {scale}")


def _window(a: Any) -> None:
    """Check that no place of the output is outside the input, whatever the scale."""
    if not hasattr(a, "scales_h"):  # its scales decide the output's size
        return
    before = a.self.shape if hasattr(a, "self") else a.input_size
    for scale, one, other in zip((a.scales_h, a.scales_w), before[-2:], a.output_size, strict=True):
        if scale is not None and other > scale * one + 1:
            raise ValueError(f"a scale of {scale} does not lead from {one} to {other}")


def _finite(argument: str) -> Callable[[Any], None]:
    """Check that floats are finite if they become places or LAPACK uses them."""

    def rule(a: Any) -> None:
        if not getattr(a, argument).isfinite().all():
            raise ValueError(f"{argument} has values that are not finite")

    return rule


def _pivots(a: Any) -> None:
    *batch, rows, columns = a.LU_data.shape
    _same(list(a.LU_pivots.shape), [*batch, min(rows, columns)], "pivots")
    _within(a.LU_pivots, rows + 1, "pivots", low=1)


def _anything(a: Any) -> None:
    """Check only that tensors have no gaps."""


def _noise(a: Any) -> None:
    """Check the noise: one number for each of the input, without gaps, because it is written as is."""
    if a.noise.shape != a.self.shape or not a.noise.is_contiguous():
        raise ValueError("noise must have the shape of the input, and no gaps")


def _batched(a: Any) -> None:
    _within(a.self_num_batch_dims, a.self.dim() + 1, "dimensions of a batch")


def _pairs(a: Any) -> None:
    _same(a.self.dim(), 2, "dimensions of points")


def _ctc(a: Any) -> None:
    """Check lengths of inputs and targets, and that there are as many labels."""
    most, targets = a.log_probs.shape[0], a.targets
    _within(a.input_lengths, most + 1, "lengths of inputs")
    taken = torch.as_tensor(a.target_lengths).reshape(-1)
    _within(taken, targets.shape[-1] + 1, "lengths of targets")
    if targets.dim() == 1:
        _within(taken.sum(), targets.numel() + 1, "lengths of all targets")
        labels = targets[: int(taken.sum())]
    else:
        labels = targets[torch.arange(targets.shape[1]) < taken[:, None]]
    _within(labels, a.log_probs.shape[-1], "labels")
    _within(a.blank, a.log_probs.shape[-1], "blanks")


def _ctc_backward(a: Any) -> None:
    _ctc(a)
    _within(a.input_lengths, a.log_alpha.shape[1] + 1, "lengths of inputs")
    _within(a.target_lengths, (a.log_alpha.shape[2] - 1) // 2 + 1, "lengths of targets")


def _counted(a: Any) -> None:
    """Check that there is a bin for each number up to the largest; the largest plus one has none."""
    _within(a.self.clamp(min=0), 1 << 40, "numbers to be counted")


def _segments(a: Any) -> None:
    """Check lengths or offsets of segments in the data, and a result for each."""
    told = a.lengths if a.lengths is not None else a.offsets
    if told is None or not 0 <= a.axis < a.data.dim():
        raise ValueError("segments need lengths or offsets, and an axis of the data")
    size, data = a.data.shape[a.axis], a.data.shape
    _same(told.shape[:-1], data[: a.axis], "segments and data")
    count = told.shape[-1] - (a.lengths is None)
    if a.lengths is not None:
        _within(a.lengths, size + 1, "lengths of segments")
        _within(a.lengths.sum(-1), size + 1, "lengths of all segments")
    if a.offsets is not None:
        _within(a.offsets, size + 1, "offsets of segments")
        _within(a.offsets.diff(dim=-1), size + 1, "lengths of segments")
    for kept in (getattr(a, name, None) for name in ("grad", "output")):
        if kept is not None:
            _same(kept.shape, (*told.shape[:-1], count, *data[a.axis + 1 :]), "results of segments")


def _heads(a: Any) -> None:
    """Check attention: the number of heads divides the size of an embedding."""
    heads = a.num_head if hasattr(a, "num_head") else a.num_heads
    if heads < 1 or a.embed_dim % heads:
        raise ValueError(f"the size of the embedding, {a.embed_dim}, is not divisible by the number of heads, {heads}")


def _norms(a: Any) -> None:
    """Check weights stored as lengths and directions: one length for each part of the weight."""
    v, *norms = [a.v, a.g] if hasattr(a, "v") else [a.saved_v, a.saved_g, a.saved_norms]
    parts = v.shape[a.dim] if -v.dim() <= a.dim < v.dim() and v.numel() else -1
    if any(t.numel() != parts or t.dtype != v.dtype for t in norms):
        raise ValueError(f"a weight of {parts} parts needs as many norms, of its own type")


RULES: list[tuple[str, Callable[[Any], None]]] = [
    ("nll_loss(2d)?_backward", _labels),
    ("embedding_dense_backward", _rows),
    ("(_?adaptive_avg|adaptive_max|fractional_max)_pool2d_backward", _pooled(2)),
    ("(_?adaptive_avg|adaptive_max|fractional_max)_pool3d_backward", _pooled(3)),
    ("max_pool2d_with_indices_backward", _pooled(2)),
    ("max_pool3d_with_indices_backward", _pooled(3)),
    ("_embedding_bag(_forward_only)?", _bags),
    ("_embedding_bag(_dense|_per_sample_weights)?_backward", _bags_backward),
    ("_(log_)?softmax_backward_data", _softmax_backward),
    (".*batch_norm.*", _batch_norm),
    ("_fft_.*", _transform),
    ("_?upsample_.*", _scales),
    ("_upsample_.*_aa(_backward)?", _window),
    ("grid_sampler_[23]d(_backward)?", _finite("grid")),
    ("linalg_eig(vals)?", _finite("self")),
    ("_linalg_eigh", _finite("A")),
    ("rrelu_with_noise", _noise),
    ("lu_unpack", _pivots),
    ("(nan)?median|native_(group|layer)_norm", _anything),
    ("_new_zeros_with_same_feature_meta", _batched),
    ("_pdist_(forward|backward)", _pairs),
    ("_ctc_loss", _ctc),
    ("_ctc_loss_backward", _ctc_backward),
    ("bincount", _counted),
    ("_?segment_reduce(_backward)?", _segments),
    ("_native_multi_head_attention|_transformer_encoder_layer_fwd", _heads),
    ("_weight_norm_interface(_backward)?", _norms),
]
"""The rules by name of the operation, without the underscore of in-place forms."""
KERNEL_LOOKS = re.compile(
    r"index(_(add|copy|fill|put|reduce|select))?|gather|scatter(_add|_reduce)?|take|put|embedding(_renorm)?"
    r"|max_unpool[23]d|nll_loss(2d)?_forward|multi(label)?_margin_loss(_forward|_backward)?|repeat_interleave|searchsorted"
    r"|fractional_max_pool[23]d|linalg_(lu|ldl)_solve|_unsafe_masked_index(_put_accumulate)?"
    r"|(huber|mse|smooth_l1|soft_margin)_loss(_backward)?|binary_cross_entropy(_with_logits|_backward)?"
)
"""Operations whose own kernels check their indices, or whose targets are not labels, as the fuzz has shown."""


def is_decided(op: Op) -> bool:
    """Whether the arguments with which an operation chooses places are checked, if it has any."""
    tensors = {a.name for a in op._schema.arguments if "Tensor" in str(a.type)} - _written(op)
    return bool(not POINT & tensors or _rules(op) or KERNEL_LOOKS.fullmatch(operation(op)))
