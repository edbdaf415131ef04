"""The profiler with activities of CPU and CUDA: what the host did is there, and no time of a device is made up."""

import torch
from torch import nn
from torch.profiler import ProfilerActivity, profile, record_function

net, x = nn.Linear(8, 8).cuda(), torch.randn(2, 8).cuda()
with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as profiled, record_function("inference"):
    net(x)
averages = {e.key: e for e in profiled.key_averages()}
print(profiled.key_averages().table(sort_by="cpu_time_total", row_limit=3))
assert "inference" in averages
assert not any(e.device_time_total for e in averages.values())
with profile(activities=[ProfilerActivity.CUDA]) as profiled:
    net(x)
assert profiled.key_averages().table(sort_by="cuda_time_total", row_limit=3)
with torch.autograd.profiler.profile(use_device="cuda") as older:
    net(x)
assert "aten::linear" in {e.key for e in older.key_averages()}
