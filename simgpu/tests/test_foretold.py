"""What small tensors foretell by the CPU's kernels is what PyTorch's meta kernels foretell."""

import pytest
import torch
from device import DEVICE
from simgpu.front import shapes
from simgpu.front.shapes import META_IN_PYTHON
from simgpu.wire import Spec

aten = torch.ops.aten
LAYOUTS = {
    "whole": lambda: torch.ones(3, 4),
    "transposed": lambda: torch.ones(4, 3).t(),
    "a part": lambda: torch.ones(5, 9)[1:4, 1:9:2],
    "expanded": lambda: torch.ones(3, 1).expand(3, 4),
    "empty": lambda: torch.ones(0, 4),
    "float64": lambda: torch.ones(3, 4, dtype=torch.float64),
    "bfloat16": lambda: torch.ones(3, 4, dtype=torch.bfloat16),
    "channels last": lambda: torch.ones(2, 3, 4, 5).to(memory_format=torch.channels_last),
}
REST = {
    aten.addmm.default: lambda x: (x.t(), torch.ones(x.shape[0], 2, dtype=x.dtype)),
    aten.threshold_backward.default: lambda x: (x, 0),
    aten.tanh_backward.default: lambda x: (x,),
    aten.sigmoid_backward.default: lambda x: (x,),
    aten.huber_loss.default: lambda x: (x, 0, 1.0),
    aten.mse_loss.default: lambda x: (x, 0),
    aten.div.Tensor: lambda x: (x,),
    aten.div.Scalar: lambda x: (2.0,),
    aten.addcdiv_.default: lambda x: (x, x),
    aten.addcmul_.default: lambda x: (x, x),
    aten.lerp_.Scalar: lambda x: (x, 0.5),
    aten.sum.dim_IntList: lambda x: ([0],),
}


def _like(tensor, device):
    """A tensor of this layout."""
    return torch.empty_strided(tensor.shape, tensor.stride(), dtype=tensor.dtype, device=device)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("op", sorted(META_IN_PYTHON, key=str), ids=str)
def test_both_kernels_foretell_the_same(op, layout):
    written = str(op).split(".")[1].endswith("_")
    if (op is aten.addmm.default and layout == "channels last") or (written and layout == "expanded"):
        pytest.skip("no argument of this operation")
    x = LAYOUTS[layout]()
    given = [x, *REST.get(op, lambda x: ())(x)]
    if op is aten.addmm.default:
        given[0] = torch.ones(2, dtype=x.dtype)
    both = []
    for device in "cpu", "meta":
        here = [_like(a, device) if isinstance(a, torch.Tensor) else a for a in given]
        both.append(Spec.of(op(*here)))
    assert both[0] == both[1]


@pytest.mark.parametrize(
    ("operation", "sizes", "kernel"),
    [
        (torch.relu, [(61, 67)], "cpu"),
        (torch.relu, [(64, 65)], "meta"),
        (torch.div, [(61, 1), (1, 67)], "cpu"),
        (torch.div, [(64, 1), (65,)], "meta"),
        (torch.addmm, [(1,), (1, 1009), (1009, 1)], "cpu"),
        (torch.addmm, [(1,), (64, 1), (1, 65)], "meta"),
    ],
)
def test_a_small_storage_foretells_no_large_result_on_the_cpu(operation, sizes, kernel, monkeypatch):
    on, used = shapes._on, []
    monkeypatch.setattr(shapes, "_on", lambda device, *rest: used.append(device.type) or on(device, *rest))
    given = [torch.ones(size, device=DEVICE) for size in sizes]
    if operation is torch.relu:
        given = [torch.ones(1, device=DEVICE).expand(*sizes)]
    expected = operation(*[x.cpu() for x in given])
    used.clear()
    result = operation(*given)
    assert used == [kernel]
    assert torch.equal(result.cpu(), expected)
