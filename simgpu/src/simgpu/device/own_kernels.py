"""Kernels that PyTorch expects of any accelerator but that its CPU lacks, or has not for all layouts or types."""

import functools
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.utils._pytree import tree_map

aten = torch.ops.aten


def lstm_cell(
    gates_x: Tensor, gates_h: Tensor, cx: Tensor, b_x: Tensor | None = None, b_h: Tensor | None = None
) -> tuple[Tensor, ...]:
    """Compute a step of an LSTM; the workspace has the activated gates, (batch, 4 * hidden), for backward."""
    gates = gates_x + gates_h
    if b_x is not None and b_h is not None:
        gates = gates + b_x + b_h
    i, f, g, o = gates.chunk(4, 1)
    i, f, g, o = i.sigmoid(), f.sigmoid(), g.tanh(), o.sigmoid()
    cy = f * cx + i * g
    return o * cy.tanh(), cy, torch.cat([i, f, g, o], 1)


def lstm_cell_backward(
    grad_hy: Tensor | None, grad_cy: Tensor | None, cx: Tensor, cy: Tensor, workspace: Tensor, has_bias: bool
) -> tuple[Tensor | None, ...]:
    """Gradients of the gates, of cx and of the bias."""
    i, f, g, o = workspace.chunk(4, 1)
    squashed = cy.tanh()
    grad_h = torch.zeros_like(cy) if grad_hy is None else grad_hy
    grad_c = grad_h * o * (1 - squashed * squashed) + (0 if grad_cy is None else grad_cy)
    gates = torch.cat(
        [
            grad_c * g * i * (1 - i),
            grad_c * cx * f * (1 - f),
            grad_c * i * (1 - g * g),
            grad_h * squashed * o * (1 - o),
        ],
        1,
    )
    return gates, grad_c * f, gates.sum(0) if has_bias else gates.new_empty(0)


def gru_cell(
    gates_x: Tensor, gates_h: Tensor, hx: Tensor, b_x: Tensor | None = None, b_h: Tensor | None = None
) -> tuple[Tensor, ...]:
    """One step of a GRU.

    Returns:
        The new state (batch, hidden), and a workspace (batch, 5 * hidden): reset, update and new gate, the old state,
        the hidden part of new.
    """
    if b_x is not None and b_h is not None:
        gates_x, gates_h = gates_x + b_x, gates_h + b_h
    (xr, xz, xn), (hr, hz, hn) = gates_x.chunk(3, 1), gates_h.chunk(3, 1)
    r, z = (xr + hr).sigmoid(), (xz + hz).sigmoid()
    n = (xn + r * hn).tanh()
    return n + z * (hx - n), torch.cat([r, z, n, hx, hn], 1)


def gru_cell_backward(grad: Tensor, workspace: Tensor, has_bias: bool) -> tuple[Tensor, ...]:
    """Gradients of both sums of gates, of the old state and of both biases."""
    r, z, n, hx, hn = workspace.chunk(5, 1)
    d_n = grad * (1 - z) * (1 - n * n)
    d_z = grad * (hx - n) * z * (1 - z)
    d_r = d_n * hn * r * (1 - r)
    gates_x, gates_h = torch.cat([d_r, d_z, d_n], 1), torch.cat([d_r, d_z, d_n * r], 1)
    none = grad.new_empty(0)
    return gates_x, gates_h, grad * z, gates_x.sum(0) if has_bias else none, gates_h.sum(0) if has_bias else none


def fused_step(step: torch._ops.OpOverload, *lists: Any, **named: Any) -> None:
    """An optimizer's step in one kernel, which on the CPU treats every tensor as one contiguous piece of memory.

    Args:
        step: The CPU's kernel.
        lists: Parameters, gradients, and the optimizer's state of each parameter; step counts are single numbers.
        named: Numbers, and the results of a gradient scaler.

    Raises:
        ValueError: a gradient or a state does not have its parameter's size and type.
    """
    parameters, *others = lists
    counts = [] if step._schema.name == "aten::_fused_sgd_" else others.pop()
    for kept in others:
        if kept and (len(kept) != len(parameters) or not all(map(_belongs, kept, parameters))):
            raise ValueError("a parameter's gradient and state must have its size and type")
    if len(counts) not in (0, len(parameters)) or not all(map(_is_number, [*counts, *map(named.get, FOUND)])):
        raise ValueError("the step count and found_inf must have one element each")
    whole = [[t.contiguous() for t in part] for part in lists]
    step(*whole, **named)
    for part, given in zip(whole, lists, strict=True):
        for new, old in zip(part, given, strict=True):
            if new is not old:
                old.copy_(new)


def _belongs(kept: Tensor, parameter: Tensor) -> bool:
    return kept.shape == parameter.shape and kept.dtype == parameter.dtype


def _is_number(tensor: Tensor | None) -> bool:
    return tensor is None or (tensor.numel() == 1 and tensor.dtype == torch.float32)


def widened(op: torch._ops.OpOverload, to: dict[torch.dtype, torch.dtype], *args: Any, **named: Any) -> Any:
    """Compute in a wider type if CUDA has a kernel for the given one and the CPU has none."""
    dtype = args[0].dtype
    if dtype not in to:
        return op(*args, **named)
    wide = [v.to(to[dtype]) if isinstance(v, Tensor) and v.dtype == dtype else v for v in args]
    return tree_map(lambda result: result.to(dtype), op(*wide, **named))


def absolute(op: torch._ops.OpOverload, tensor: Tensor, **named: Any) -> Tensor:
    """Return absolute values, also of truth values, for which the CPU has no kernel."""
    if tensor.dtype != torch.bool:
        return op(tensor, **named)  # type: ignore[no-any-return]
    return tensor if op is aten.abs_.default else torch.logical_or(tensor, tensor, **named)


FOUND = "grad_scale", "found_inf"
FUSED = [
    getattr(getattr(torch.ops.aten, f"_fused_{name}_"), overload)
    for name in ("adam", "adamw", "adagrad", "sgd")
    for overload in ("default", "tensor_lr")
]
BY_NAME: dict[str, Callable[..., Any]] = {
    "aten._thnn_fused_lstm_cell.default": lstm_cell,
    "aten._thnn_fused_lstm_cell_backward_impl.default": lstm_cell_backward,
    "aten._thnn_fused_gru_cell.default": gru_cell,
    "aten._thnn_fused_gru_cell_backward.default": gru_cell_backward,
}
BY_NAME |= {str(step): functools.partial(fused_step, step) for step in FUSED}
BY_NAME |= {str(op): functools.partial(absolute, op) for op in (aten.abs.default, aten.abs_.default, aten.abs.out)}
_HALVES = dict.fromkeys((torch.float16, torch.bfloat16), torch.float32)
_INTEGERS = dict.fromkeys((torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64), torch.float64)
BY_NAME |= {
    str(op.default): functools.partial(widened, op.default, types)
    for op, types in {
        aten.avg_pool3d: _HALVES,
        aten.avg_pool3d_backward: _HALVES,
        aten._upsample_bilinear2d_aa: _HALVES,
        aten._upsample_bilinear2d_aa_backward: _HALVES,
        aten.multi_margin_loss: _HALVES,
        aten.multi_margin_loss_backward: _HALVES,
        aten.multilabel_margin_loss_forward: _HALVES,
        aten.multilabel_margin_loss_backward: _HALVES,
        aten.histc: _INTEGERS,
    }.items()
}
