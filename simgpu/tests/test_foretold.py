"""What small tensors foretell by the CPU's kernels is what PyTorch's meta kernels foretell."""

import pytest
import torch
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
