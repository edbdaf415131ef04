"""Copies of pinned memory, which do not wait, and of pageable memory, which do."""

import torch
from torch.utils.data import DataLoader, TensorDataset

data = torch.arange(24.0).view(6, 4)
pinned = data.pin_memory()
assert pinned.is_pinned() and not data.is_pinned()
assert torch.equal(pinned.to("cuda", non_blocking=True).cpu(), data)
there = torch.full((1000,), 3.0, device="cuda") * 2
back = there.to("cpu", non_blocking=True)
torch.cuda.synchronize()
assert back.is_pinned() and (back == 6).all()
total = torch.zeros((), device="cuda")
for (batch,) in DataLoader(TensorDataset(data), batch_size=2, pin_memory=True, num_workers=1):
    assert batch.is_pinned()
    total += batch.cuda(non_blocking=True).sum()
print("sum", total.item(), "on", total.device)
assert total.item() == data.sum().item()
