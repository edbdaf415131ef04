"""``torch.inference_mode``: all that runs outside runs inside, and what was made there is used as PyTorch says."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from device import DEVICE, gpu, judge, logged, ready, value, waits
from torch import nn

NOTES = "docs.pytorch.org/docs/stable/notes/autograd.html#inference-mode"
X = torch.arange(36.0).reshape(6, 6).sub(10).div(7)
OPERATIONS: dict[str, Callable[[torch.Tensor], Any]] = {
    "@": lambda x: x @ x,
    "linear": lambda x: F.linear(x, x),
    "einsum": lambda x: torch.einsum("ij,jk->ik", x, x),
    "outer": lambda x: torch.outer(x[0], x[1]),
    "norm": lambda x: torch.linalg.norm(x),
    "where": lambda x: torch.where(x > 0, x, 0.0),
    "interpolate": lambda x: F.interpolate(x[None], scale_factor=2),
    "pad": lambda x: F.pad(x, (1, 1)),
    "layer_norm": lambda x: F.layer_norm(x, (6,)),
    "attention": lambda x: F.scaled_dot_product_attention(x[None], x[None], x[None]),
    "cross_entropy": lambda x: F.cross_entropy(x, x[0].long().abs() % 6),
    "dtype": lambda x: x.to(torch.float64),
    "in place": lambda x: x.clone().mul_(2).t_(),
    "out": lambda x: torch.add(x, x, out=torch.empty_like(x)),
    "mask": lambda x: x[x > 0],
    "reshape": lambda x: x.t().reshape(3, 12),
    "tensor_split": lambda x: x.tensor_split(4),
    "tensor_split at places of the host": lambda x: x.tensor_split(torch.tensor([1, 3])),
    "item": lambda x: (x.sum().item(), float(x[0, 0]), bool(x.any())),
    "tolist": lambda x: x.tolist(),
    "format": lambda x: f"{x.sum():.2f}",
}
VIEWS: dict[str, Callable[[torch.Tensor], Any]] = {
    "view": lambda x: x.view(-1),
    "index": lambda x: x[1],
    "slice": lambda x: x[1:3, ::2],
    "t": lambda x: x.t(),
    "T": lambda x: x.T,
    "expand": lambda x: x.expand(2, 6, 6),
    "detach": lambda x: x.detach(),
    "split": lambda x: x.split(2),
    "unbind": lambda x: x.unbind(),
    "diagonal": lambda x: x.diagonal(),
}
MODES = {"inside": torch.inference_mode, "outside": torch.no_grad, "outside, with gradients": torch.enable_grad}


def made_inside() -> tuple[torch.Tensor, torch.Tensor]:
    """A tensor of the device and its like on the host, both of inference mode."""
    with torch.inference_mode():
        return X.to(DEVICE), X.clone()


def is_inference(values: Any) -> list[bool]:
    return [one.is_inference() for one in torch.utils._pytree.tree_leaves(values) if isinstance(one, torch.Tensor)]


def check_like_the_host(function: Callable[[torch.Tensor], Any], here: torch.Tensor, host: torch.Tensor) -> None:
    got, wanted = function(here), function(host)
    assert is_inference(got) == is_inference(wanted)
    if isinstance(wanted, str):
        assert got == wanted
        return
    torch.testing.assert_close(got, wanted, check_device=False, rtol=1e-4, atol=1e-5)


@pytest.mark.cuda(
    "inference mode allows all operations, even views of tensors made outside this mode", NOTES, "the same"
)
@pytest.mark.parametrize("function", [*OPERATIONS.values(), *VIEWS.values()], ids=[*OPERATIONS, *VIEWS])
def test_inside_on_a_tensor_of_before(function):
    x = X.to(DEVICE)
    with torch.inference_mode():
        check_like_the_host(function, x, X)


@pytest.mark.cuda(
    "a tensor made in inference mode can be used outside; its views are inference tensors as well", NOTES, "the same"
)
@pytest.mark.parametrize("mode", MODES.values(), ids=MODES)
@pytest.mark.parametrize("function", [*OPERATIONS.values(), *VIEWS.values()], ids=[*OPERATIONS, *VIEWS])
def test_a_tensor_that_was_made_inside(function, mode):
    with mode():
        check_like_the_host(function, *made_inside())


@pytest.mark.parametrize("numbers", [10, 20_000, 2_000_000])  # by value, by staging memory, in pieces
@pytest.mark.parametrize("pinned", [False, True])
def test_host_memory_of_inference_mode_is_copied(numbers: int, pinned: bool):
    with torch.inference_mode():
        host = torch.arange(numbers, dtype=torch.float32)
        host = host.pin_memory() if pinned else host
        here = host.to(DEVICE, non_blocking=pinned)
        assert torch.equal(here.cpu(), host) and torch.equal(torch.empty_like(here).copy_(host).cpu(), host)
    assert torch.equal(host.to(DEVICE).cpu(), host)


@pytest.mark.parametrize("mode", MODES.values(), ids=MODES)
def test_it_is_printed(mode):
    here, host = made_inside()
    with mode():
        assert str(here).replace(f",\n       device='{DEVICE}:0'", "") == str(host)
        assert f"{here[1, 1]:.3f}" == f"{host[1, 1]:.3f}"


FORBIDDEN = {
    "in place": lambda x: x.add_(1),
    "in place, through a view": lambda x: x[0].zero_(),
    "a new layout": lambda x: x.t_(),
    "a gradient asked for": lambda x: x.requires_grad_(),
    "kept for the backward pass": lambda x: torch.ones(6, 6, device=x.device, requires_grad=True) * x,
}


@pytest.mark.parametrize("function", FORBIDDEN.values(), ids=FORBIDDEN)
def test_what_is_refused_outside_is_refused_as_by_the_host(function):
    here, host = made_inside()
    with pytest.raises(RuntimeError, match=r"[Ii]nference") as wanted:
        function(host)
    with pytest.raises(RuntimeError) as got:
        function(here)
    assert str(got.value) == str(wanted.value)


def test_in_place_inside():
    x = X.to(DEVICE)
    version = x._version
    with torch.inference_mode():
        x[0].zero_()
        x.add_(1)
        y = x + 1
        y[1] = 5
    assert x._version == version + 2  # an earlier tensor still counts its versions
    assert x[0].tolist() == [1] * 6
    assert y[1].tolist() == [5] * 6


def test_gradients_are_as_ever_afterwards():
    x = X.to(DEVICE).requires_grad_()
    with torch.inference_mode():
        assert not (x @ x).requires_grad
    (x @ x).sum().backward()
    assert x.grad is not None
    host = X.clone().requires_grad_()
    (host @ host).sum().backward()
    torch.testing.assert_close(x.grad, host.grad, check_device=False)


@pytest.mark.parametrize("training", [False, True])
def test_a_network(training):
    torch.manual_seed(1)
    net = nn.Sequential(
        nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(36, 5)
    ).train(training)
    pictures = torch.randn(3, 1, 8, 8)
    with torch.inference_mode():
        wanted = net(pictures)
    there = net.to(DEVICE)
    with torch.inference_mode():
        got = there(pictures.to(DEVICE))
        best = got.argmax(1)
    assert got.is_inference()
    assert best.shape == (3,)
    if not training:  # the earlier statistics have changed
        torch.testing.assert_close(got, wanted, check_device=False, rtol=1e-4, atol=1e-5)


def test_nothing_waits_that_does_not_outside():
    x = ready(8, 8)
    with torch.inference_mode():
        assert waits(lambda: (x @ x).flatten().sum(-1)) == []
        assert waits(lambda: x[0, 0].item()) == ["item"]

    def work() -> object:
        return F.linear(x @ x, x, x[0]).reshape(4, 16).sum(), x.std(), torch.where(x > 0, 1.0, x), x.softmax(1)

    outside = logged(work)
    with torch.inference_mode():
        inside = logged(work)
    assert [one.name for one in inside] == [one.name for one in outside]


def test_streams_and_events():
    x, side, done = ready(4, value=1.0), gpu.Stream(), gpu.Event()
    judge.hold()
    with torch.inference_mode():
        with gpu.stream(side):
            y = x.view(2, 2) @ x.view(2, 2)
            done.record()
        y.record_stream(gpu.current_stream())
        gpu.current_stream().wait_event(done)
        z = y.t() + 1
        assert value(z) is None
        assert not done.query()
        judge.release()
        done.synchronize()
        assert z.tolist() == [[3, 3], [3, 3]]
