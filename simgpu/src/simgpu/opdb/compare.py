"""One entry of the operator database, on the CPU and on the device."""

import contextlib
import signal
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import torch
from torch.utils._pytree import tree_leaves, tree_map

from simgpu.front import rng

DEVICE = "simgpu"
SECONDS = 120
HOST_ARGUMENTS = frozenset({"tensor_split"})
"""Operations whose other tensors are on the host, also on CUDA."""


@dataclass
class Verdict:
    """The outcome of a comparison.

    Attributes:
        place: Its place in the database.
        name: The operation, with its variant.
        dtype: The dtype of its inputs.
        forward: ``equal``, ``random`` (shape, dtype and repetition with a seed), ``refused``, ``wrong``, ``hung``,
            ``error``, ``abort``,
            or ``none``: no sample works on the CPU.
        backward: The same for the backward pass; empty if there is none.
        why: The first line of the error.
    """

    place: int
    name: str
    dtype: str
    forward: str = ""
    backward: str = ""
    why: str = ""

    def json(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)


class Hung(BaseException):
    """It took longer than any entry should."""


@contextlib.contextmanager
def _within(seconds: int) -> Iterator[None]:
    def late(*_: Any) -> None:
        raise Hung

    signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)


def _to(device: str, grad: bool = False) -> Any:
    def move(value: Any) -> Any:
        if not isinstance(value, torch.Tensor):
            return device if str(value) == "cpu" else value
        new = value.detach().clone().to(device)
        return (
            new.requires_grad_(value.requires_grad) if grad and (new.is_floating_point() or new.is_complex()) else new
        )

    return move


def _call(op: Any, sample: Any, device: str, grad: bool = False) -> tuple[Any, list[torch.Tensor]]:
    given = tree_map(_to(device, grad), (sample.input, sample.args, sample.kwargs))
    if op.name in HOST_ARGUMENTS:
        given = given[0], sample.args, sample.kwargs
    value, args, kwargs = given
    return op(value, *args, **kwargs), [t for t in tree_leaves(given) if isinstance(t, torch.Tensor)]


def _host(value: Any) -> Any:
    torch.get_device_module(DEVICE).synchronize()  # a copy to the host may still be running
    return tree_map(lambda v: v.detach().cpu() if isinstance(v, torch.Tensor) else v, value)


def _same(got: Any, want: Any) -> None:
    leaves = tree_leaves(want)
    # Half precision has three digits, and a decomposition rounds in each step.
    half = any(isinstance(t, torch.Tensor) and t.dtype in (torch.float16, torch.bfloat16) for t in leaves)
    near = 4 * torch.finfo(torch.float16).eps
    torch.testing.assert_close(
        got,
        want,
        rtol=near if half else 1e-4,
        atol=near if half else 1e-5,
        equal_nan=True,
        check_stride=False,
        check_device=False,
        check_layout=True,
    )


def _gradients(op: Any, sample: Any, device: str) -> list[Any] | None:
    result, given = _call(op, sample, device, grad=True)
    outs = [t for t in tree_leaves(result) if isinstance(t, torch.Tensor) and t.requires_grad]
    leaves = [t for t in given if t.requires_grad]
    if not outs or not leaves:
        return None
    reals = [t.abs() if t.is_complex() else t for t in outs]
    # As those of a sum; but for a gradient that is one number, the CPU's kernels for batches are less exact.
    ones = [torch.ones_like(t) if device == "cpu" else t.new_ones(()).expand_as(t) for t in reals]
    return list(_host(torch.autograd.grad(reals, leaves, ones, allow_unused=True)))


def _forward(op: Any, sample: Any, verdict: Verdict) -> None:
    torch.manual_seed(1)
    try:
        want = _host(_call(op, sample, "cpu")[0])
    except Exception:
        return  # the CPU does not support it either
    torch.manual_seed(1)
    drawn = rng.Drawn.count
    made, tensors = _call(op, sample, DEVICE)
    places = {t.device.type for t in tree_leaves(made) if isinstance(t, torch.Tensor)}
    # otherwise nothing names the device
    here = tensors or any(str(v) == "cpu" for v in tree_leaves((sample.args, sample.kwargs)))
    assert not here or places <= {DEVICE}, f"results on {places}"
    got = _host(made)
    if rng.Drawn.count == drawn and "empty" not in verdict.name:
        _same(got, want)
        verdict.forward = verdict.forward or "equal"
        return
    verdict.forward = "random"
    for a, b in zip(tree_leaves(got), tree_leaves(want), strict=True):
        assert not isinstance(b, torch.Tensor) or (a.shape, a.dtype) == (b.shape, b.dtype), (
            f"{a.shape} {a.dtype} for {b.shape} {b.dtype}"
        )
    if "empty" not in verdict.name:
        torch.manual_seed(1)
        _same(_host(_call(op, sample, DEVICE)[0]), got)


def _reason(error: BaseException) -> tuple[str, str]:
    text = f"{type(error).__name__}: {error}".replace("\n", " ")[:200]
    if isinstance(error, Hung):
        return "hung", text
    if isinstance(error, NotImplementedError):
        return "refused", str(error)[:200]
    return ("wrong" if isinstance(error, AssertionError) else "error"), text


def entry(op: Any, place: int, dtype: torch.dtype, most: int) -> Verdict:
    """Compare an entry's first samples, forward and backward."""
    name = op.name + (f".{op.variant_test_name}" if op.variant_test_name else "")
    verdict = Verdict(place, name, str(dtype).removeprefix("torch."))
    grad = op.supports_autograd and dtype.is_floating_point
    try:
        with _within(SECONDS):
            torch.manual_seed(0)
            samples = []
            for sample in op.sample_inputs("cpu", dtype, requires_grad=grad):
                samples.append(sample)
                if len(samples) == most:
                    break
            for sample in samples:
                _forward(op, sample, verdict)
            verdict.forward = verdict.forward or "none"
    except (Exception, Hung) as error:
        verdict.forward, verdict.why = _reason(error)
        return verdict
    if verdict.forward != "equal" or not grad:
        return verdict
    try:
        with _within(SECONDS):
            for sample in samples:
                try:
                    want = _gradients(op, sample, "cpu")
                except Exception:
                    continue
                if want is not None:
                    _same(_gradients(op, sample, DEVICE), want)
                    verdict.backward = "equal"
    except (Exception, Hung) as error:
        verdict.backward, verdict.why = _reason(error)
    return verdict


def variants(op: Any, dtype: torch.dtype, most: int) -> None:
    """Call an entry's in-place and ``out=`` forms, so that a recording contains their overloads.

    Calls that fail are left out.
    """
    for sample in list(op.sample_inputs("cpu", dtype))[:most]:
        with contextlib.suppress(Exception, Hung), _within(SECONDS):
            result, _ = _call(op, sample, DEVICE)
            if op.inplace_variant is not None:
                _call(op.inplace_variant, sample, DEVICE)
            if op.supports_out:
                given = tree_map(_to(DEVICE), (sample.input, sample.args, sample.kwargs))
                op(given[0], *given[1], **given[2], out=tree_map(torch.empty_like, result))
