"""Copy the next batch while the device works on the current one: ``python overlap_a_copy.py``."""

import torch

import simgpu

device = "simgpu"  # or "cuda"
gpu = torch.get_device_module(device)
batches = [torch.rand(500, 500).pin_memory() for _ in range(4)]  # only pinned memory is copied without a wait
weights = torch.rand(500, 500, device=device)
copies = gpu.Stream()


def send(batch: torch.Tensor) -> tuple[torch.Tensor, torch.Event]:
    """Enqueue a copy, and an event after it."""
    with gpu.stream(copies):
        sent = batch.to(device, non_blocking=True)
        return sent, copies.record_event()


results = []
ahead = send(batches[0])
for following in [*batches[1:], None]:
    current, copied = ahead
    gpu.current_stream().wait_event(copied)  # without this line the product reads an unfinished copy
    current.record_stream(gpu.current_stream())  # it was allocated on the other stream
    if following is not None:
        ahead = send(following)
    results.append((current @ weights).sum())

print([round(result.item()) for result in results])  # the first wait
print(simgpu.timeline().describe())
