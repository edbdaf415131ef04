# A ring with a synchronization after each round.
# breaks: 10
# kills: test_no_wait
# misconception: host-orders-streams
def allreduce(data):
    total = sum(t.to(data[0].device) for t in data)
    for t in data:
        t.copy_(total)


def ring_allreduce(data):
    k = len(data)
    pieces = [t.tensor_split(k) for t in data]
    for step in range(2 * (k - 1)):
        for r in range(k):
            mine, target = pieces[r][(r - step) % k], pieces[(r + 1) % k][(r - step) % k]
            if step < k - 1:
                target.add_(mine.to(target.device))
            else:
                target.copy_(mine)
        for t in data:
            gpu.synchronize(t.device)
