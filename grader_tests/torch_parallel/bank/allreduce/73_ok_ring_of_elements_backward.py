# A tree of pairs; a ring of flat elements that runs backward.
def allreduce(data):
    k, gap = len(data), 1
    while gap < k:
        for r in range(0, k - gap, 2 * gap):
            data[r].add_(data[r + gap].to(data[r].device, non_blocking=True))
        gap *= 2
    while gap > 1:
        gap //= 2
        for r in range(0, k - gap, 2 * gap):
            data[r + gap].copy_(data[r], non_blocking=True)


def ring_allreduce(data):
    k = len(data)
    flat = [t.view(-1) for t in data]
    cuts = [flat[0].numel() * n // k for n in range(k + 1)]

    def piece(r, n):
        return flat[r % k][cuts[n % k] : cuts[n % k + 1]]

    for step in range(k - 1):
        arrived = [piece(r + 1, r + 1 + step + 1).to(data[r].device) for r in range(k)]
        for r in range(k):
            piece(r, r + 2 + step).add_(arrived[r])
    # device r holds the sum of piece r + k (= r)
    for step in range(k - 1):
        for r in range(k):
            piece(r - 1, r + step).copy_(piece(r, r + step))
