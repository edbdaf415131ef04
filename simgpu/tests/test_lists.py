"""Operations on lists of tensors, which stock optimizers and clipping use on a GPU."""

from typing import Any

import pytest
import torch
from device import DEVICE, waits

from simgpu import operations

FOREACH = [
    name
    for name in operations.Allowed().names
    if name.startswith("aten._foreach_")
    and "out" not in name.rpartition(".")[2]
    and not ("addc" in name and name.endswith(".Tensor"))  # their factors are a list that lies on the host
]


@pytest.mark.parametrize("name", sorted(FOREACH))
def test_operations_on_lists_are_those_of_the_cpu(name: str):
    op = operations.overload(name)

    def arguments() -> list[Any]:
        torch.manual_seed(1)
        made: list[Any] = []
        for argument in op._schema.arguments:
            if argument.kwarg_only or argument.has_default_value():
                break
            match str(argument.type):
                case "List[Tensor]":
                    made.append([torch.rand(n, n) * 0.8 + 0.1 for n in (2, 3)])
                case "Tensor":
                    made.append(torch.tensor(1.5))
                case "List[number]":
                    made.append([2, 0.5])
                case "number":
                    made.append(2)
        return made

    here, there = arguments(), [to(a) for a in arguments()]
    expected, got = op(*here), op(*there)
    assert [t.device.type for t in got or ()] == [DEVICE] * len(expected or ())
    for a, b in ((expected, got), (here, there)):
        torch.testing.assert_close(back(b), a, rtol=0, atol=0, equal_nan=True)


def to(value: Any) -> Any:
    """On the device, but for single numbers, which stay."""
    if isinstance(value, list):
        return [to(v) for v in value]
    return value.to(DEVICE) if isinstance(value, torch.Tensor) and value.dim() else value


def back(value: Any) -> Any:
    """On the host."""
    if isinstance(value, list | tuple):
        return type(value)(back(v) for v in value)
    return value.cpu() if isinstance(value, torch.Tensor) else value


@pytest.mark.parametrize("foreach", [False, True])
def test_gradients_are_clipped_as_on_the_cpu_and_without_a_wait(foreach: bool):
    def clipped(device: str) -> list[torch.Tensor]:
        torch.manual_seed(2)
        w = [torch.randn(n, 4).to(device).requires_grad_() for n in (2, 5)]
        sum((p**3).sum() for p in w).backward()
        norms: list[torch.Tensor] = []

        def clip() -> None:
            norms.append(torch.nn.utils.clip_grad_norm_(w, 1.0, foreach=foreach))
            torch.nn.utils.clip_grad_value_(w, 0.2, foreach=foreach)

        if device == DEVICE:
            assert waits(clip) == []
        else:
            clip()
        return [t.cpu() for t in (*norms, *(p.grad for p in w))]

    for a, b in zip(clipped("cpu"), clipped(DEVICE), strict=True):
        torch.testing.assert_close(a, b)
