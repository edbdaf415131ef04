"""Which of PyTorch's operations the device runs.

It is an allow list of overloads, the same for the front end and the device.
"""

import functools
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

NAME = re.compile(r"aten\.((?!__)\w+|__i?(?:and|or|xor|lshift|rshift)__)\.((?!__)\w+)")
NEVER = re.compile(
    r"from_file|save|load|print|set_data|share_memory|pin_memory|record_stream|^sym_|_cuda|_mps|_xpu|_cudnn|miopen|quantiz|sparse"
    r"|mkldnn|nested|storage|_assert|jagged|sobol|fbgemm|_test_|vulkan|resize|^set_?$|_conj$|_neg_view|data_ptr|_check_errors"
)
"""What no list may hold: what reaches files, takes memory apart, or is another device's."""


class Allowed:
    """The allow list.

    ``record`` permits what no list may not hold and notes it down, for the command that makes the list.
    """

    def __init__(self, record: Path | None = None) -> None:
        self.record = record
        self.names = set(Path(__file__).with_name("allowed.txt").read_text().split())
        if record:
            self.names = set(record.read_text().split()) if record.exists() else set()

    def permits(self, name: object) -> bool:
        """Whether the device may run an overload, ``aten.<operation>.<overload>``."""
        if name in self.names:
            return True
        if self.record is None or not isinstance(name, str) or not may_stand_in_a_list(name):
            return False
        self.names.add(name)
        with self.record.open("a") as file:
            file.write(f"{name}\n")
        return True


def may_stand_in_a_list(name: str) -> bool:
    """Whether an overload could be allowed at all."""
    match = NAME.fullmatch(name)
    return match is not None and not NEVER.search(match[1])


def overload(name: str) -> torch._ops.OpOverload:
    """PyTorch's object of a name that is on the list."""
    found: Any = functools.reduce(getattr, name.split(".")[1:], torch.ops.aten)  # type: ignore[arg-type]
    if not isinstance(found, torch._ops.OpOverload):
        raise TypeError(f"{name} is not an operation")
    return found


@functools.cache
def draws(op: torch._ops.OpOverload) -> bool:
    """Whether an operation draws random numbers."""
    return torch.Tag.nondeterministic_seeded in op.tags


def check_indices(name: str, args: list[Any], kwargs: dict[str, Any]) -> None:
    """Refuse indices beyond what they point into, for operations whose CPU kernels do not look.

    Raises:
        IndexError: an index is out of range.
    """
    check = CHECKED.get(name.split(".")[1])
    if check:
        check(*args, **kwargs)


def _within(indices: torch.Tensor, size: int, what: str) -> None:
    if indices.numel() and not (int(indices.min()) >= 0 and int(indices.max()) < size):
        raise IndexError(
            f"{what} are out of range: from {int(indices.min())} to {int(indices.max())} where there are {size}"
        )


def _positions(dims: int) -> Callable[..., None]:
    """Backward of a pooling: each index points into the last ``dims`` dimensions of the input."""

    def check(grad: torch.Tensor, own: torch.Tensor, *rest: Any, **named: Any) -> None:
        indices = named.get("indices", rest[-1] if rest else None)
        if isinstance(indices, torch.Tensor) and not indices.is_floating_point():
            count = 1
            for n in own.shape[-dims:]:
                count *= n
            _within(indices, count, "indices of a pooling")

    return check


def _bag(bags: int, weights: int) -> Callable[..., None]:
    """Backward of a bag of embeddings.

    Args:
        bags: Where the bags' numbers stand among its arguments.
        weights: Where the count of embeddings stands.
    """

    def check(*args: Any, **_: Any) -> None:
        _within(args[bags], max(args[0].shape[0], 1), "bags")
        _within(args[1], args[weights], "indices of an embedding")

    return check


def _bags(weight: torch.Tensor, indices: torch.Tensor, offsets: torch.Tensor, *_: Any, **__: Any) -> None:
    """Forward: rows of the weight, and where each bag begins among them."""
    _within(indices, weight.shape[0], "indices of an embedding")
    _within(offsets, indices.shape[0] + 1, "offsets of bags")
    _within(offsets.diff(), indices.shape[0] + 1, "lengths of bags")


def _weights_of_bags(grad: torch.Tensor, weight: torch.Tensor, indices: torch.Tensor, *rest: Any, **_: Any) -> None:
    """Backward of a bag's own weights; the bags' numbers come behind the offsets."""
    _within(indices, weight.shape[0], "indices of an embedding")
    _within(rest[1], grad.shape[0], "bags")


def _lengths(told: Any, most: int, what: str) -> torch.Tensor:
    lengths = torch.as_tensor(told).reshape(-1)
    _within(lengths, most + 1, what)
    return lengths


def _ctc(probs: torch.Tensor, targets: torch.Tensor, inputs: Any, lengths: Any, *rest: Any, **_: Any) -> None:
    """Of the loss: lengths of inputs and targets, and the labels that these say are there."""
    _lengths(inputs, probs.shape[0], "lengths of inputs")
    taken = _lengths(lengths, targets.shape[-1], "lengths of targets")
    if targets.dim() == 1:
        _within(taken.sum(), targets.numel() + 1, "lengths of all targets")
        labels = targets[: int(taken.sum())]
    else:
        labels = targets[torch.arange(targets.shape[1]) < taken[:, None]]
    _within(labels, probs.shape[-1], "labels")


def _ctc_backward(
    grad: torch.Tensor, probs: torch.Tensor, targets: torch.Tensor, inputs: Any, lengths: Any,
    nll: torch.Tensor, alpha: torch.Tensor, *rest: Any, **_: Any,
) -> None:  # fmt: skip
    _ctc(probs, targets, inputs, lengths)
    _lengths(inputs, alpha.shape[1], "lengths of inputs")
    _lengths(lengths, (alpha.shape[2] - 1) // 2, "lengths of targets")


def _counted(numbers: torch.Tensor, *_: Any, **__: Any) -> None:
    """There is a bin for each number up to the largest; one more than the largest of all has none."""
    _within(numbers.clamp(min=0), 1 << 40, "numbers to be counted")


def _segments(data: int) -> Callable[..., None]:
    """A reduction of segments: their lengths or offsets within the data, which is the argument of this place."""

    def check(*args: Any, lengths: Any = None, offsets: Any = None, axis: int = 0, **_: Any) -> None:
        size = args[data].shape[axis]
        if lengths is not None:
            _within(lengths, size + 1, "lengths of segments")
            _within(lengths.sum(-1), size + 1, "lengths of all segments")
        if offsets is not None:
            _within(offsets, size + 1, "offsets of segments")
            _within(offsets.diff(dim=-1), size + 1, "lengths of segments")

    return check


def _heads(place: int) -> Callable[..., None]:
    """Attention: how many heads there are stands at this place behind the size of an embedding."""

    def check(*args: Any, **_: Any) -> None:
        size, heads = args[place - 1 : place + 1]
        if heads < 1 or size % heads:
            raise ValueError(f"{heads} heads for an embedding of {size}")

    return check


def _norms(weight: int, dim: int) -> Callable[..., None]:
    """Weights that are kept as lengths and directions: one length for each part of the weight."""

    def check(*args: Any, **_: Any) -> None:
        v, along = args[weight], args[dim] if len(args) > dim else 0
        parts = v.shape[along] if -v.dim() <= along < v.dim() else -1
        if any(t.numel() != parts or t.dtype != v.dtype for t in args[weight + 1 : dim]):
            raise ValueError(f"a weight of {parts} parts has as many norms of its own type")

    return check


CHECKED: dict[str, Callable[..., None]] = {
    "_embedding_bag": _bags,
    "_embedding_bag_forward_only": _bags,
    "_embedding_bag_per_sample_weights_backward": _weights_of_bags,
    "_native_multi_head_attention": _heads(4),
    "_transformer_encoder_layer_fwd": _heads(2),
    "_weight_norm_interface": _norms(0, 2),
    "_weight_norm_interface_backward": _norms(1, 4),
    "bincount": _counted,
    "_ctc_loss": _ctc,
    "_ctc_loss_backward": _ctc_backward,
    "segment_reduce": _segments(0),
    "_segment_reduce_backward": _segments(2),
    "max_pool2d_with_indices_backward": _positions(2),
    "max_pool3d_with_indices_backward": _positions(3),
    "adaptive_max_pool2d_backward": _positions(2),
    "adaptive_max_pool3d_backward": _positions(3),
    "fractional_max_pool2d_backward": _positions(2),
    "fractional_max_pool3d_backward": _positions(3),
    "_embedding_bag_backward": _bag(3, 6),
    "_embedding_bag_dense_backward": _bag(2, 5),
}
