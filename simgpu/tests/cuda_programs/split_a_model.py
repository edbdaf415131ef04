"""One half of a network on each of two devices; work in flight while the other half computes."""

import torch
from torch import nn

torch.manual_seed(0)
first, second = nn.Linear(8, 16).to("cuda:0"), nn.Linear(16, 4).to("cuda:1")
optimizer = torch.optim.Adam([*first.parameters(), *second.parameters()], lr=0.01)
x, y = torch.randn(32, 8), torch.randn(32, 4)
losses = []
for _ in range(8):
    parts = [second(torch.relu(first(part.to("cuda:0"))).to("cuda:1")) for part in x.split(8)]
    loss = nn.functional.mse_loss(torch.cat(parts), y.to("cuda:1"))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
print("loss", losses[0], "to", losses[-1])
assert losses[-1] < losses[0] and first.weight.grad.device == torch.device("cuda:0")
try:
    torch.ones(2, device="cuda:0") + torch.ones(2, device="cuda:1")
except RuntimeError as error:
    assert "cuda:0 and cuda:1" in str(error)
