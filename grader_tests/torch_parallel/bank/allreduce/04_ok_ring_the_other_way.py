# The ring goes down; buffers made with empty_like.
def allreduce(data):
    for i in range(1, len(data)):
        other = torch.empty_like(data[0])
        other.copy_(data[i])
        data[0].add_(other)
    for i in range(1, len(data)):
        data[i][:] = data[0]


def ring_allreduce(data):
    k = len(data)
    pieces = [tensor.chunk(k) if tensor.shape[0] % k == 0 else tensor.tensor_split(k) for tensor in data]
    for step in range(k - 1):
        for r in range(k):
            mine, number = pieces[(r - 1) % k], (r + step) % k
            arrived = torch.empty_like(mine[number])
            arrived.copy_(pieces[r][number], non_blocking=True)
            mine[number].add_(arrived)
    for step in range(k - 1):
        for r in range(k):
            number = (r - 1 + step) % k
            pieces[(r - 1) % k][number][...] = pieces[r][number]
