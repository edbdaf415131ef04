# The ring is the naive function.
# breaks: 4
# kills: test_neighbors, test_pieces
# misconception: sum-needs-a-middle
def allreduce(data):
    for tensor in data[1:]:
        data[0] += tensor.to(data[0].device)
    for tensor in data[1:]:
        tensor.copy_(data[0])


def ring_allreduce(data):
    allreduce(data)
