# Tensors on the devices, filled by copy_ from pinned buffers.
def split_batch(X, y, devices):
    lists = []
    for whole in (X, y):
        parts = []
        for part, device in zip(whole.tensor_split(len(devices)), devices):
            buffer = torch.empty(part.shape, dtype=part.dtype).pin_memory()
            buffer.copy_(part)
            there = torch.empty(part.shape, dtype=part.dtype, device=device)
            there.copy_(buffer, non_blocking=True)
            parts.append(there)
        lists.append(parts)
    return lists
