"""Gradients are on the device of what they belong to. Autograd does not check this for tensors of a Python class."""

import functools
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch.autograd.function import BackwardCFunction
from torch.autograd.graph import GradientEdge

from simgpu.front import state


def apply() -> None:
    """Change PyTorch, once: check what a ``torch.autograd.Function`` returns."""
    ours: Any = BackwardCFunction
    for name in ("apply", "apply_boxed"):
        if hasattr(ours, name):
            setattr(ours, name, _checking(getattr(ours, name)))


def at_roots(roots: Sequence[Any], given: Sequence[Any]) -> tuple[Any, ...]:
    """Return the initial gradients of a backward pass, each on its root's device.

    Raises:
        RuntimeError: one is on another device, in autograd's words.
    """
    pairs = list(zip(roots, given, strict=False))
    return tuple(
        gradient if isinstance(root, GradientEdge) else _placed(gradient, root.device, "", index)
        for index, (root, gradient) in enumerate(pairs)
    )


def _checking(backward: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(backward)
    def call(node: Any, *args: Any) -> Any:
        returned = backward(node, *args)
        gradients = list(returned) if isinstance(returned, tuple) else [returned]
        if not any(isinstance(gradient, torch.Tensor) for gradient in gradients):
            return returned
        edges = [(index, *edge) for index, edge in enumerate(node.next_functions) if edge[0] is not None]
        wanted = [place for place, needed in enumerate(node.needs_input_grad) if needed]
        for place, (index, following, number) in zip(wanted, edges, strict=False):
            if place < len(gradients):
                device = following._input_metadata[number].device
                said = f"Function {node.name()} returned an "
                gradients[place] = _placed(gradients[place], device, said, index)
        return tuple(gradients) if isinstance(returned, tuple) else gradients[0]

    return call


def _placed(gradient: Any, device: torch.device, said: str, index: int) -> Any:
    if not isinstance(gradient, torch.Tensor) or state.OURS.isdisjoint((gradient.device.type, device.type)):
        return gradient
    wanted, found = state.named(device), state.named(gradient.device)
    if found == wanted:
        return gradient
    if not gradient.dim():
        return gradient.to(wanted)
    raise RuntimeError(f"{said}invalid gradient at index {index} - expected device {wanted} but got {found}")
