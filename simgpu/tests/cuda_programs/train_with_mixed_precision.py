"""float16 with a scaler of gradients, accumulation over two batches, and a function of its own."""

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 4)).cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
scaler = torch.amp.GradScaler("cuda")
batches = [(torch.randn(16, 32, device="cuda"), torch.randn(16, 4, device="cuda")) for _ in range(4)]


class Doubled(torch.autograd.Function):
    @staticmethod
    @torch.amp.custom_fwd(device_type="cuda", cast_inputs=torch.float32)
    def forward(ctx, x):
        assert x.dtype == torch.float32
        return x * 2

    @staticmethod
    @torch.amp.custom_bwd(device_type="cuda")
    def backward(ctx, gradient):
        return gradient * 2


means = []
for _ in range(5):
    losses = []
    for i, (x, y) in enumerate(batches):
        with torch.autocast(device_type="cuda", dtype=torch.float16):
            out = net(x)
            assert out.dtype is torch.float16 and torch.is_autocast_enabled("cuda")
            loss = nn.functional.mse_loss(Doubled.apply(out) / 2, y) / 2
        scaler.scale(loss).backward()
        losses.append(loss.item())
        if i % 2:
            scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()
    means.append(sum(losses))
print("loss", means[0], "to", means[-1], "scale", scaler.get_scale())
assert means[-1] < means[0] and scaler.is_enabled() and not torch.is_autocast_enabled("cuda")
