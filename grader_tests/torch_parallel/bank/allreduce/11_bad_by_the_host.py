# The sum is made on the host.
# breaks: 3, 10
# kills: test_any_number, test_any_shape, test_no_wait, test_not_by_the_host, test_sum, test_uneven
# misconception: host-orders-streams
def allreduce(data):
    total = sum(tensor.cpu() for tensor in data)
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
