# Rows beyond a multiple of k are left out.
# breaks: 1
# kills: test_uneven
# misconception: reads-the-task
def allreduce(data):
    for tensor in data[1:]:
        data[0] += tensor.to(data[0].device)
    for tensor in data[1:]:
        tensor.copy_(data[0])


def ring_allreduce(data):
    k = len(data)
    size = len(data[0]) // k
    pieces = [[t[n * size : (n + 1) * size] for n in range(k)] for t in data]
    for step in range(k - 1):
        sent = [pieces[r][(r - step) % k].to(data[(r + 1) % k].device) for r in range(k)]
        for r in range(k):
            pieces[(r + 1) % k][(r - step) % k].add_(sent[r])
    for step in range(k - 1):
        for r in range(k):
            pieces[(r + 1) % k][(r + 1 - step) % k].copy_(pieces[r][(r + 1 - step) % k])
