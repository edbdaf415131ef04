# allreduce adds in a fresh array of float32, so that float64 is rounded.
# breaks: 1
# kills: test_any_number
# misconception: reads-the-task
def allreduce(data):
    total = torch.zeros(data[0].shape, device=data[0].device)
    for t in data:
        total += t.to(total.device)
    for t in data:
        t.copy_(total)


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
