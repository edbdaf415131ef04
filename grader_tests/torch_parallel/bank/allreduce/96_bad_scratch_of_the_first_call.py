# Scratch memory is kept by shape, on the devices of the first call.
# breaks: 4
# kills: test_any_number
# misconception: reads-the-task
_scratch = {}


def allreduce(data):
    first = data[0]
    for other in data[1:]:
        first += other.to(first.device)
    for other in data[1:]:
        other.copy_(first)


def ring_allreduce(data):
    k = len(data)
    pieces = [t.tensor_split(k) for t in data]
    for step in range(k - 1):
        for r in range(k):
            n, right = (r - step) % k, (r + 1) % k
            key = right, n, pieces[r][n].shape, data[0].dtype
            if key not in _scratch:
                _scratch[key] = torch.empty_like(pieces[right][n])
            _scratch[key].copy_(pieces[r][n])
            pieces[right][n].add_(_scratch[key].to(data[right].device))
    for step in range(k - 1):
        for r in range(k):
            n, right = (r + 1 - step) % k, (r + 1) % k
            pieces[right][n].copy_(pieces[r][n])
