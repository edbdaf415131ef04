# The last piece of the ring holds the whole remainder, so the pieces are not of almost the same size.
# breaks: 6
# kills: test_pieces
# misconception: sum-needs-a-middle
def allreduce(data):
    for t in data[1:]:
        data[0] += t.to(data[0].device)
    for t in data[1:]:
        t.copy_(data[0])


def ring_allreduce(data):
    k = len(data)
    size = len(data[0]) // k
    pieces = [t.tensor_split([size * n for n in range(1, k)]) for t in data]
    for put, shift in ((torch.Tensor.add_, 0), (torch.Tensor.copy_, 1)):
        for turn in range(k - 1):
            for r in range(k):
                n = (r + shift - turn) % k
                put(pieces[(r + 1) % k][n], pieces[r][n].to(data[(r + 1) % k].device))
