# An array without axes cannot be sliced.
# breaks: 9
# kills: test_any_shape
# misconception: reads-the-task
def allreduce(data):
    total = data[0].clone()
    for tensor in data[1:]:
        total += tensor.to(total.device)
    for tensor in data:
        tensor[:] = total


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
