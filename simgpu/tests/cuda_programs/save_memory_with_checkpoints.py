"""Checkpointing computes activations twice and needs less memory; a full device raises an error that is caught."""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint_sequential

net = nn.Sequential(
    *[nn.Sequential(nn.Linear(128, 128), nn.GELU(), nn.Dropout(0.1), nn.Linear(128, 128)) for _ in range(6)]
).cuda()
x = torch.randn(2048, 128, device="cuda", requires_grad=True)


def peak(forward):
    net.zero_grad()
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    torch.cuda.manual_seed(5)
    forward().sum().backward()
    return torch.cuda.max_memory_allocated(), net[0][0].weight.grad.clone()


(plain, expected), (saving, found) = (
    peak(lambda: net(x)),
    peak(lambda: checkpoint_sequential(net, 3, x, use_reentrant=False)),
)
print("peak", plain >> 20, "MiB, with checkpoints", saving >> 20)
assert saving < plain and torch.allclose(found, expected, atol=1e-5)
try:
    torch.empty(1 << 42, dtype=torch.uint8, device="cuda")
except torch.cuda.OutOfMemoryError as error:
    assert "out of memory" in str(error)
else:
    raise AssertionError("there is no such memory")
assert torch.cuda.memory_stats()["num_ooms"] == 0 or torch.cuda.memory_summary()
