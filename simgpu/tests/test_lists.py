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
    and not ("addc" in name and name.endswith(".Tensor"))  # their factors are a list on the host
]


HERE, APART = (DEVICE, DEVICE), (f"{DEVICE}:2", f"{DEVICE}:1")
OVER_DEVICES = [
    "aten._foreach_add_.List",
    "aten._foreach_addcdiv_.Scalar",
    "aten._foreach_copy_.default",
    "aten._foreach_mul.ScalarList",
    "aten._foreach_norm.Scalar",
    "aten._foreach_sqrt.default",
    "aten._foreach_sub_.Scalar",
]


@pytest.mark.parametrize(
    ("name", "devices"), [*((name, HERE) for name in sorted(FOREACH)), *((name, APART) for name in OVER_DEVICES)]
)
def test_operations_on_lists_are_those_of_the_cpu(name: str, devices: tuple[str, str]):
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

    def there(value: Any) -> Any:
        """Each entry of a list on its device; single numbers stay."""
        if isinstance(value, list):
            return [to(v, device) for v, device in zip(value, devices, strict=True)]
        return value

    here, moved = arguments(), [there(a) for a in arguments()]
    expected, got = op(*here), op(*moved)
    places = [torch.empty(0, device=device).device for device in devices]
    assert [t.device for t in got or ()] == places[: len(expected or ())]
    for a, b in ((expected, got), (here, moved)):
        torch.testing.assert_close(back(b), a, rtol=0, atol=0, equal_nan=True)


def to(value: Any, device: str) -> Any:
    """On a device, if it is a tensor."""
    return value.to(device) if isinstance(value, torch.Tensor) else value


def back(value: Any) -> Any:
    """On the host."""
    if isinstance(value, list | tuple):
        return type(value)(back(v) for v in value)
    return value.cpu() if isinstance(value, torch.Tensor) else value


@pytest.mark.parametrize("devices", [HERE, APART])
@pytest.mark.parametrize("foreach", [False, True])
def test_gradients_are_clipped_as_on_the_cpu_and_without_a_wait(foreach: bool, devices: tuple[str, str]):
    def clipped(places: tuple[str, str]) -> list[torch.Tensor]:
        torch.manual_seed(2)
        w = [torch.randn(n, 4).to(place).requires_grad_() for n, place in zip((2, 5), places, strict=True)]
        for p in w:
            (p**3).sum().backward()
        norms: list[torch.Tensor] = []

        def clip() -> None:
            norms.append(torch.nn.utils.clip_grad_norm_(w, 1.0, foreach=foreach))
            torch.nn.utils.clip_grad_value_(w, 0.2, foreach=foreach)

        if places != ("cpu", "cpu"):
            assert waits(clip) == []
        else:
            clip()
        return [t.cpu() for t in (*norms, *(p.grad for p in w))]

    for a, b in zip(clipped(("cpu", "cpu")), clipped(devices), strict=True):
        torch.testing.assert_close(a, b)


@pytest.mark.parametrize("entry", [0, 1])
def test_lists_over_devices_are_refused_where_one_entry_lies_on_two(entry: int):
    x, y = torch.ones(2, device=f"{DEVICE}:1"), torch.ones(2, device=f"{DEVICE}:2")
    left, right = [x, y], [x, y]
    right[entry] = [y, x][entry]
    with pytest.raises(RuntimeError, match="at least two devices"):
        torch._foreach_add_(left, right)
    with pytest.raises(RuntimeError, match="same number of tensors, got 2 and 3"):
        torch._foreach_add(left, [*right, x])


def test_one_call_copies_between_devices_and_the_host():
    x, y, host = torch.zeros(3, device=f"{DEVICE}:1"), torch.zeros(3, device=f"{DEVICE}:2"), torch.zeros(3)
    first, second = torch.arange(3.0, device=f"{DEVICE}:2"), torch.arange(3.0, 6)
    assert waits(lambda: torch._foreach_copy_([x, y], [first, first + 1])) == []
    assert [t.tolist() for t in (x, y)] == [[0, 1, 2], [1, 2, 3]]
    torch._foreach_copy_([x, host], [second, y])
    assert [t.tolist() for t in (x, host)] == [[3, 4, 5], [1, 2, 3]]


LONG = 4200
"""More tensors than a message can name."""


@pytest.fixture(scope="module")
def many() -> list[torch.Tensor]:
    return [row.clone() for row in torch.arange(2.0 * LONG, device=DEVICE).view(LONG, 2).unbind()]


@pytest.mark.parametrize(
    "work",
    [
        lambda xs: torch.cat([*xs[:1500], xs[0].double(), xs[0][:0], *xs]),
        lambda xs: torch.stack(xs, -1, out=torch.empty(0, device=xs[0].device)),
        lambda xs: torch.cat(torch._foreach_add(xs, xs, alpha=2)),
        lambda xs: torch.cat(torch._foreach_mul(xs, [float(n) for n in range(len(xs))])),
        lambda xs: torch._foreach_maximum([x.clone() for x in xs], 5.0)[LONG - 1],
    ],
    ids=["cat", "stack", "add", "factors", "maximum"],
)
def test_a_list_may_have_any_length(many: list[torch.Tensor], work: Any):
    want, got = work([row.cpu() for row in many]), work(many)
    assert got.device.type == DEVICE and torch.equal(got.cpu(), want)


@pytest.mark.parametrize("options", [{"foreach": True}, {"fused": True, "amsgrad": True}], ids=str)
def test_an_optimizer_may_have_any_number_of_parameters(many: list[torch.Tensor], options: dict[str, bool]):
    def after(rows: list[torch.Tensor]) -> torch.Tensor:
        parameters = [torch.nn.Parameter(row.clone()) for row in rows]
        optimizer = torch.optim.AdamW(parameters, lr=0.5, **options)
        for parameter in parameters:
            parameter.grad = torch.ones_like(parameter)
        optimizer.step()
        return torch.stack([p.detach() for p in parameters])

    torch.testing.assert_close(after(many).cpu(), after([row.cpu() for row in many]))


def test_gradients_of_any_number_of_parameters_are_scaled(many: list[torch.Tensor]):
    rows, found = [row.clone() for row in many], torch.zeros(1, device=DEVICE)
    torch._amp_foreach_non_finite_check_and_unscale_(rows, found, torch.full((1,), 0.5, device=DEVICE))
    assert rows[-1].tolist() == [LONG - 1.0, LONG - 0.5] and found.item() == 0
    rows[LONG - 1].fill_(float("inf"))
    torch._amp_foreach_non_finite_check_and_unscale_(rows, found, torch.ones(1, device=DEVICE))
    assert found.item() == 1


def test_what_cannot_run_in_parts_names_the_limit(many: list[torch.Tensor]):
    with pytest.raises(NotImplementedError, match="at most 4,096 tensors and as many numbers, but these are 4,200"):
        torch.block_diag(*many)
    with pytest.raises(RuntimeError, match=r"same number of tensors|same length"):
        torch._foreach_add(many, many[1:])
    assert many[3].tolist() == [6.0, 7.0]
