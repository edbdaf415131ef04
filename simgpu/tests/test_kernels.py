"""Arguments with which PyTorch's CPU kernels would leave their tensors are refused before the kernel runs."""

import argparse
import mmap

import pytest
import torch
from device import DEVICE
from simgpu.device import checks
from simgpu.fuzz.__main__ import fuzz

from simgpu import operations

FAR = 1 << 40
ONE = torch.ones(())
REFUSED = {
    "a label": ("nll_loss_backward.default", [torch.ones(2), torch.ones(2, 3), torch.tensor([0, FAR]), None, 0, -100, ONE]),
    "a pixel's label": (
        "nll_loss2d_backward.default",
        [torch.ones(1, 2, 2), torch.ones(1, 3, 2, 2), torch.full((1, 2, 2), -1), None, 0, -100, ONE],
    ),
    "a row": ("embedding_dense_backward.default", [torch.ones(4, 2), torch.full((4,), FAR), 3, -1, True]),
    "rows without gradients": ("embedding_dense_backward.default", [torch.ones(1, 2), torch.zeros(4).long(), 3, -1, True]),
    "distances": ("_cdist_backward.default", [torch.ones(1, 1), torch.ones(9, 2), torch.ones(9, 2), 1.0, torch.ones(1, 1)]),
    "channels": ("_adaptive_avg_pool2d_backward.default", [torch.ones(9, 2, 2), torch.ones(1, 4, 4)]),
    "input of this gradient has no elements": ("_adaptive_avg_pool2d_backward.default", [torch.ones(3, 5, 7), torch.ones(3, 0, 8)]),
    "a mean for each channel": (
        "native_batch_norm.default",
        [torch.ones(5, 9), None, None, torch.ones(1), torch.ones(1), False, 0.1, 1e-5],
    ),
    "no statistics": ("_native_batch_norm_legit.no_stats", [torch.ones(1, 2, 3), None, None, False, 0.1, 1e-5]),
    "what a layer's norm has kept": (
        "native_layer_norm_backward.default",
        [torch.ones(3, 4), torch.ones(3, 4), [4], torch.ones(1, 1), torch.ones(3, 1), None, None, [True] * 3],
    ),
    "a dimension": ("_fft_c2c.default", [torch.ones(3, 3, dtype=torch.complex64), [-FAR], 0, True]),
    "sizes of a transform": ("_fft_c2r.default", [torch.ones(3, dtype=torch.complex64), [0], 0, 12]),
    "no tensor": ("copy.default", [None, torch.ones(3)]),
    "a type": ("log_softmax.int", [torch.ones(3), 0, -1]),
    "a tensor for a type": ("sum.default", [torch.ones(3)], {"dtype": ONE}),
    "there is no reduction": ("multilabel_margin_loss_backward.default", [torch.ones(0), torch.ones(2, 5), torch.zeros(2, 5).long(), -FAR,
                                                                torch.ones(2, 5)]),
    "infinity": ("linalg_eigvals.default", [torch.full((4, 4), torch.inf)]),
    "a place that is no number": (
        "grid_sampler_2d_backward.default",
        [torch.ones(1, 1, 2, 2), torch.ones(1, 1, 2, 2), torch.full((1, 2, 2, 2), torch.nan), 0, 1, False, [True, True]],
    ),
    "pivots": ("lu_unpack.default", [torch.ones(3, 3), torch.zeros(0, dtype=torch.int32)]),
    "noise in one place": ("rrelu_with_noise.default", [torch.ones(20), torch.ones(1).expand(20), 0.0, 1.0, True]),
    "a bag without offsets": (
        "_embedding_bag_backward.default",
        [torch.ones(2, 5), torch.arange(5), torch.tensor([0, 1, 3]), *[torch.zeros(0).long()] * 2, torch.zeros(3).long(), 10,
         False, 0, False, None],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_arguments_that_lead_a_kernel_astray_are_refused(name: str):
    op, args, *named = REFUSED[name]
    with pytest.raises((IndexError, ValueError)):
        checks.checked(operations.overload(f"aten.{op}"), args, named[0] if named else {})


def test_a_label_beyond_the_classes_is_a_late_error_and_the_device_goes_on():
    grad, scores, labels = torch.ones(2, device=DEVICE), torch.zeros(2, 3, device=DEVICE), torch.tensor([0, FAR])
    torch.ops.aten.nll_loss_backward(grad, scores, labels.to(DEVICE), None, 0, -100, torch.ones((), device=DEVICE))
    with pytest.raises(RuntimeError, match="labels are out of range"):
        torch.get_device_module(DEVICE).synchronize()
    assert grad.sum().item() == 2


def test_what_was_looked_at_cannot_be_changed_by_another_stream():
    labels = torch.tensor([0, 2])
    args = [torch.ones(2), torch.ones(2, 3), labels, None, 0, -100, ONE]
    given, _ = checks.checked(operations.overload("aten.nll_loss_backward.default"), args, {})
    labels.fill_(FAR)
    assert given[2].tolist() == [0, 2]


def test_somebody_looks_at_every_argument_that_says_where():
    ops = map(operations.overload, operations.Allowed().names)
    assert [str(op) for op in ops if not checks.is_decided(op)] == []


def test_statistics_that_a_normalization_updates_are_written():
    op = torch.ops.aten.native_batch_norm.default
    assert [a.name for a in op._schema.arguments if operations.is_written(op, a)] == ["running_mean", "running_var"]


POINTS = torch.rand(4, 2)
SEEDS = {
    "aten._cdist_backward.default": [torch.ones(4, 4), POINTS, POINTS, 1.0, torch.cdist(POINTS, POINTS, 1.0)],
    "aten.nll_loss2d_backward.default": [torch.ones(1, 2, 2), torch.rand(1, 3, 2, 2), torch.ones(1, 2, 2).long(), None, 0, -100, ONE],
    "aten._fft_r2c.default": [torch.rand(4, 4), [1], 0, True],
}  # fmt: skip


@pytest.mark.parametrize("name", SEEDS)
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_the_fuzz_finds_what_the_checks_keep_from_a_kernel(name: str):
    def findings(unchecked: bool) -> list[str]:
        options = argparse.Namespace(calls=150, seed=0, most=1, unchecked=unchecked)
        return fuzz(name, [(SEEDS[name], {})], options, mmap.mmap(-1, 1 << 14))[0]

    assert [f.split()[0] for f in findings(unchecked=True)] == [name]
    assert findings(unchecked=False) == []
