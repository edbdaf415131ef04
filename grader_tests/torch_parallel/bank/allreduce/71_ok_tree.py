# A tree of pairs; a ring whose neighbors receive into buffers first, round by round.
def allreduce(data):
    def total(some):
        if len(some) == 1:
            return some[0]
        left, right = total(some[: len(some) // 2]), total(some[len(some) // 2 :])
        return left + right.to(left.device)

    whole = total(data)
    for t in data[1:]:
        t.copy_(whole, non_blocking=True)
    if len(data) > 1:
        data[0].copy_(whole)


def ring_allreduce(data):
    k = len(data)
    sizes = [len(range(i, data[0].shape[0], k)) for i in range(k)]
    pieces = [t.split(sizes) for t in data]
    following = {r: (r + 1) % k for r in range(k)}
    for round_number in range(k - 1):
        arrived = {}
        for r in range(k):
            number = (r - round_number) % k
            arrived[following[r], number] = pieces[r][number].to(data[following[r]].device, copy=True)
        for (r, number), piece in arrived.items():
            pieces[r][number].add_(piece)
    for round_number in range(k - 1):
        for r in range(k):
            number = (r + 1 - round_number) % k
            pieces[following[r]][number].copy_(pieces[r][number])
