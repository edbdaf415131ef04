"""Valid arguments of operations: those in PyTorch's operator database, forward and backward, on the CPU."""

import warnings
from collections.abc import Iterator
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map

from simgpu import operations

Call = tuple[list[Any], dict[str, Any]]
MOST_ELEMENTS = 5000
MADE_UP: dict[str, Any] = {
    "int": 1, "SymInt": 1, "bool": False, "float": 0.5, "number": 2, "List[int]": [1, 1], "List[SymInt]": [2, 2],
    "str": "none", "List[number]": [1, 2], "List[float]": [0.5, 0.5], "List[bool]": [True, False, True],
    "Device": torch.device("cpu"),
}  # fmt: skip


class _Recorder(TorchDispatchMode):
    """Keeps some calls of each operation that the device may run."""

    def __init__(self, names: set[str], each: int) -> None:
        super().__init__()
        self.names, self.each = names, each
        self.calls: dict[str, list[Call]] = {}

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name, kwargs = str(func), kwargs or {}
        if name in self.names and len(self.calls.setdefault(name, [])) < self.each:
            tensors = [t for t in tree_leaves((args, kwargs)) if isinstance(t, torch.Tensor)]
            if all(t.device.type == "cpu" and t.numel() <= MOST_ELEMENTS and not _odd(t) for t in tensors):
                self.calls[name].append(_copied((list(args), kwargs)))
        return func(*args, **kwargs)


def _odd(tensor: torch.Tensor) -> bool:
    return tensor.layout != torch.strided or tensor.is_conj() or tensor.is_neg() or tensor.is_quantized


def _copied(call: Any) -> Any:
    return tree_map(lambda v: v.detach().clone() if isinstance(v, torch.Tensor) else v, call)


def recorded(names: set[str], each: int = 6, samples: int = 12) -> dict[str, list[Call]]:
    """Return some calls of each overload: recorded, else of another overload of the operation, else invented."""
    from torch.testing._internal.common_methods_invocations import op_db

    recorder = _Recorder(names, each)
    torch.manual_seed(0)
    for op in op_db:
        if torch.float32 in op.dtypes:
            _run(op, recorder, samples)
    calls = dict(recorder.calls)
    for name in sorted(names - set(calls)):
        calls[name] = list(_of_others(name, recorder.calls)) or [_made_up(name, n) for n in range(each)]
    return calls


def _run(op: Any, recorder: _Recorder, samples: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            drawn = op.sample_inputs("cpu", torch.float32, requires_grad=op.supports_autograd)
            for sample, _ in zip(drawn, range(samples), strict=False):
                with recorder:
                    result = op(sample.input, *sample.args, **sample.kwargs)
                    leaves = [t for t in tree_leaves(result) if isinstance(t, torch.Tensor) and t.requires_grad]
                    if leaves:
                        torch.autograd.backward(leaves, [torch.ones_like(t) for t in leaves])
        except Exception:  # some entries of the database do not run on every CPU
            return


def _of_others(name: str, calls: dict[str, list[Call]]) -> Iterator[Call]:
    """Return calls of an operation's other overloads, with the arguments that only this overload has."""
    op = operations.overload(name)
    base = name.split(".")[1]
    for other in sorted(calls):
        if other.split(".")[1].rstrip("_") != base.rstrip("_") or not calls[other]:
            continue
        schema = operations.overload(other)._schema.arguments
        for args, kwargs in calls[other][:3]:
            known = dict(zip((a.name for a in schema), args, strict=False)) | kwargs
            try:
                results = [
                    t for t in tree_leaves(operations.overload(other)(*args, **kwargs)) if isinstance(t, torch.Tensor)
                ]
            except Exception:
                results = []
            named: dict[str, Any] = {}
            placed: list[Any] = []
            for argument in op._schema.arguments:
                if argument.name in known and not argument.is_out:
                    value = known[argument.name]
                elif argument.is_out and "List" in str(argument.type):
                    value = [torch.empty_like(r) for r in results]
                elif argument.is_out:
                    value = torch.empty_like(results.pop(0)) if results else torch.zeros(2, 2)
                elif argument.has_default_value():
                    value = argument.default_value
                else:
                    value = _value(str(argument.type), 0)
                if argument.kwarg_only:
                    named[argument.name] = value
                else:
                    placed.append(value)
            yield _copied((placed, named))


def _made_up(name: str, variant: int) -> Call:
    arguments = operations.overload(name)._schema.arguments
    call: Call = [], {}
    for argument in arguments:
        value = argument.default_value if argument.has_default_value() else _value(str(argument.type), variant)
        if argument.kwarg_only:
            call[1][argument.name] = value
        else:
            call[0].append(value)
    return call


def _value(kind: str, variant: int) -> Any:
    shape = [(2, 2), (3,), (2, 3, 4), (1, 2, 4, 4), (), (1, 2, 3, 4, 4)][variant % 6]
    if kind == "Tensor":
        return torch.rand(shape)
    if kind in ("List[Tensor]", "List[Optional[Tensor]]"):
        return [torch.rand(shape), torch.rand(shape)]
    return MADE_UP.get(kind)
