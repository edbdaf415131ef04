# synchronize after each copy of the ring.
# breaks: 10
# kills: test_no_wait
# misconception: host-orders-streams
def allreduce(data):
    for tensor in data[1:]:
        data[0] += tensor.to(data[0].device)
    for tensor in data[1:]:
        tensor.copy_(data[0])


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
        gpu.synchronize()
