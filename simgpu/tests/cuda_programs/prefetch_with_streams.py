"""The next batch is copied on a stream of its own while the current one is computed."""

import torch

batches = [torch.full((64, 64), float(i)).pin_memory() for i in range(5)]
weights, copying = torch.eye(64, device="cuda"), torch.cuda.Stream(priority=-1)


def copied(batch):
    with torch.cuda.stream(copying):
        return batch.cuda(non_blocking=True)


results, following = [], copied(batches[0])
for i in range(len(batches)):
    torch.cuda.current_stream().wait_stream(copying)
    batch = following
    batch.record_stream(torch.cuda.current_stream())
    if i + 1 < len(batches):
        following = copied(batches[i + 1])
    results.append((batch @ weights).mean())
values = [r.item() for r in results]
print("means", values)
assert values == [0.0, 1.0, 2.0, 3.0, 4.0]
event = torch.cuda.Event()
with torch.cuda.stream(copying):
    weights.mul_(2)
    event.record()
event.wait()
assert (weights + 0).sum().item() == 128
assert copying.device == torch.device("cuda", 0) and "torch.cuda.Stream" in repr(copying)
assert torch.cuda.current_stream() == torch.cuda.default_stream() != copying
