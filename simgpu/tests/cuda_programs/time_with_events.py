"""How long a product takes: by events, and by PyTorch's benchmark."""

import torch
from torch.utils.benchmark import Timer

start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
a = torch.randn(200, 200, device="cuda")
start.record()
for _ in range(5):
    b = a @ a
end.record()
torch.cuda.synchronize()
assert start.query() and end.query() and start.elapsed_time(end) > 0
assert Timer("a @ a", globals={"a": a}).timeit(3).median > 0
print(torch.cuda.get_device_name(), torch.cuda.get_device_capability(), torch.cuda.get_device_properties("cuda"))
assert "simulated" in torch.cuda.get_device_name(0)
assert torch.cuda.get_device_capability() == (0, 0)
with torch.cuda.nvtx.range("product"):
    a @ a
