# sum() of copies, everything non_blocking; in the ring copies of pieces, written back at the end.
def allreduce(data):
    total = sum(tensor.to(data[0].device, non_blocking=True) for tensor in data)
    for tensor in data:
        tensor.copy_(total, non_blocking=True)


def ring_allreduce(data):
    k = len(data)
    pieces = [[piece.clone() for piece in tensor.tensor_split(k)] for tensor in data]
    for step in range(k - 1):
        for r in range(k):
            n, to = (r - step) % k, (r + 1) % k
            pieces[to][n] = pieces[to][n] + pieces[r][n].to(data[to].device, non_blocking=True)
    for step in range(k - 1):
        for r in range(k):
            n, to = (r + 1 - step) % k, (r + 1) % k
            pieces[to][n] = pieces[r][n].to(data[to].device, non_blocking=True)
    for tensor, parts in zip(data, pieces):
        torch.cat(parts, out=tensor)
