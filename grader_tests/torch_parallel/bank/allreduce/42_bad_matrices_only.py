# allreduce takes the arrays for matrices.
# breaks: 9
# kills: test_any_shape
# misconception: reads-the-task
def allreduce(data):
    rows, columns = data[0].shape
    total = torch.zeros(rows, columns, dtype=data[0].dtype, device=data[0].device)
    for tensor in data:
        total += tensor.to(total.device)
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
