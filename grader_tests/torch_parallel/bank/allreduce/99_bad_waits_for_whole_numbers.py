# For whole numbers, the host looks for an overflow.
# breaks: 10
# kills: test_any_number
# misconception: reads-the-task
def allreduce(data):
    first = data[0]
    for other in data[1:]:
        first += other.to(first.device)
    if not first.is_floating_point():
        assert first.max() < torch.iinfo(first.dtype).max
    for other in data[1:]:
        other.copy_(first)


def ring_allreduce(data):
    k = len(data)
    pieces = [t.tensor_split(k) for t in data]
    for step in range(k - 1):
        for r in range(k):
            n, right = (r - step) % k, (r + 1) % k
            pieces[right][n].add_(pieces[r][n].to(data[right].device))
    for step in range(k - 1):
        for r in range(k):
            n, right = (r + 1 - step) % k, (r + 1) % k
            pieces[right][n].copy_(pieces[r][n])
