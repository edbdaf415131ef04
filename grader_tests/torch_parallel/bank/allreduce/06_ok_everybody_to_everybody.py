# Each device gets all arrays itself, before anyone is changed.
def allreduce(data):
    sums = [sum(other.to(tensor.device) for other in data) for tensor in data]
    for tensor, total in zip(data, sums):
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
