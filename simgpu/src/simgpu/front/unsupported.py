"""Parts of PyTorch that this device lacks, with clearer errors than PyTorch's own."""

import functools
from collections.abc import Callable
from typing import Any

import torch
from torch.utils import _pytree as pytree

from simgpu.front import state
from simgpu.front.tensor import SimTensor

NESTED = "nested tensors are not simulated. Pad them, or keep a list of tensors."
FULLGRAPH = (
    "torch.compile(fullgraph=True) and flex_attention are not simulated: operations on this device run one by one, "
    "without a graph. Use fullgraph=False, or scaled_dot_product_attention."
)
NCCL = (
    "init_process_group('nccl'): here the ranks of torch.distributed are threads of one process. Start them with "
    "simgpu.distributed.ranks(work, size), which initializes the group."
)


def apply() -> None:
    """Change PyTorch, once."""
    for name in ("nested_tensor", "as_nested_tensor", "nested_tensor_from_jagged"):
        setattr(torch.nested, name, _of_the_host(getattr(torch.nested, name)))
    torch.compile = _compiling(torch.compile)
    if torch.distributed.is_available():
        wrapped = _without_nccl(torch.distributed.init_process_group)
        torch.distributed.init_process_group = torch.distributed.distributed_c10d.init_process_group = wrapped


def refused(text: str) -> Callable[..., Any]:
    """Return a function that raises an error with the reason."""

    def refuse(*_: Any, **__: Any) -> Any:
        raise NotImplementedError(f"simgpu: {text}")

    return refuse


def _of_the_host(make: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(make)
    def call(*args: Any, **kwargs: Any) -> Any:
        device = kwargs.get("device") or torch.get_default_device()
        if _on_device(args, kwargs) or torch.device(device).type in state.OURS:
            raise NotImplementedError(f"simgpu: {NESTED}")
        return make(*args, **kwargs)

    return call


def _on_device(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    return any(isinstance(leaf, SimTensor) for leaf in pytree.tree_leaves((args, kwargs)))


def _compiling(compile_: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(compile_)
    def call(model: Any = None, *args: Any, **kwargs: Any) -> Any:
        if state.NAME == "cuda" and not kwargs.get("fullgraph"):
            kwargs["disable"] = True  # it would compile for a real GPU
        made = compile_(model, *args, **kwargs)
        if model is None or not kwargs.get("fullgraph"):
            return made
        if isinstance(made, torch.nn.Module):
            made.forward = _explained(made.forward)
            return made
        return _explained(made)

    return call


def _explained(compiled: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(compiled)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return compiled(*args, **kwargs)
        except torch._dynamo.exc.Unsupported as error:
            if SimTensor.__name__ not in str(error) and not _on_device(args, kwargs):
                raise
            raise NotImplementedError(f"simgpu: {FULLGRAPH}") from error

    return call


def _without_nccl(init: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(init)
    def call(backend: Any = None, *args: Any, **kwargs: Any) -> None:
        if "nccl" in str(backend) and not torch.cuda.is_available():
            raise NotImplementedError(f"simgpu: {NCCL}")
        init(backend, *args, **kwargs)

    return call
