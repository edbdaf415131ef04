# Piece r is summed on device r, which gets it from everybody.
# breaks: 4
# kills: test_neighbors
# misconception: sum-needs-a-middle
def allreduce(data):
    for tensor in data[1:]:
        data[0] += tensor.to(data[0].device)
    for tensor in data[1:]:
        tensor.copy_(data[0])


def ring_allreduce(data):
    k = len(data)
    pieces = [tensor.tensor_split(k) for tensor in data]
    for owner in range(k):
        for r in range(k):
            if r != owner:
                pieces[owner][owner].add_(pieces[r][owner].to(data[owner].device))
        for r in range(k):
            if r != owner:
                pieces[r][owner].copy_(pieces[owner][owner])
