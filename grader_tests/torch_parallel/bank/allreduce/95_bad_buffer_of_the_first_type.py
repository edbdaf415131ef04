# A buffer is kept for each shape, of the type that came first.
# breaks: 1
# kills: test_any_number
# misconception: reads-the-task
BUFFERS = {}


def allreduce(data):
    key = data[0].device, tuple(data[0].shape)
    if key not in BUFFERS:
        BUFFERS[key] = torch.empty_like(data[0])
    total = BUFFERS[key].copy_(data[0])
    for tensor in data[1:]:
        total += tensor.to(total.device).to(total.dtype)
    for tensor in data:
        tensor.copy_(total)


def ring_allreduce(data):
    k = len(data)
    pieces = [tensor.tensor_split(k) for tensor in data]
    for step in range(k - 1):
        sent = [pieces[r][(r - step) % k].to(data[(r + 1) % k].device) for r in range(k)]
        for r in range(k):
            pieces[(r + 1) % k][(r - step) % k].add_(sent[r])
    for step in range(k - 1):
        for r in range(k):
            piece = (r + 1 - step) % k
            pieces[(r + 1) % k][piece].copy_(pieces[r][piece])
