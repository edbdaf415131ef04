# Whole arrays go round the ring.
# breaks: 6
# kills: test_pieces
# misconception: sum-needs-a-middle
def allreduce(data):
    for tensor in data[1:]:
        data[0] += tensor.to(data[0].device)
    for tensor in data[1:]:
        tensor.copy_(data[0])


def ring_allreduce(data):
    k = len(data)
    moving = [tensor.clone() for tensor in data]
    for step in range(k - 1):
        moving = [moving[(r - 1) % k].to(data[r].device) for r in range(k)]
        for r in range(k):
            data[r] += moving[r]
