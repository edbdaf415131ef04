"""Loads what PyTorch needs at the first operation of a kind, in a process that forks many devices."""

import torch

from simgpu.device import checks

aten = torch.ops.aten


def warm() -> None:
    """Check and run some operations once, in the process that forks devices.

    The shapes of a backward operation are foretold in Python, for which PyTorch loads half a thousand modules.
    """
    x, image, kernel, zero = torch.ones(2, 2), torch.ones(1, 1, 3, 3), torch.ones(1, 1, 2, 2), torch.zeros(2).long()
    for op, *args in (
        (aten.addmm.default, torch.ones(2), x, x),
        (aten.mm.default, x, x),
        (aten.huber_loss_backward.default, x, x, x, 0, 1.0),
        (aten.mse_loss_backward.default, x, x, x, 0),
        (aten.threshold_backward.default, x, x, 0),
        (aten._log_softmax.default, x, 1, False),
        (aten._log_softmax_backward_data.default, x, x, 1, torch.float32),
        (aten.nll_loss_forward.default, x, zero, None, 0, -100),
        (aten.nll_loss_backward.default, x[0], x, zero, None, 0, -100, x[0, 0]),
        (aten.native_layer_norm.default, x, [2], torch.ones(2), torch.ones(2), 1e-5),
        (aten.native_layer_norm_backward.default, x, x, [2], x[:, :1], x[:, :1], x[0], x[0], [True] * 3),
        (aten.convolution.default, image, kernel, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1),
        (
            *(aten.convolution_backward.default, kernel, image, kernel, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1),
            [True, True, False],
        ),
    ):
        with torch.no_grad():
            given, named = checks.checked(op, list(args), {})
            op(*given, **named)
