# Arrays are added up in place while others still need the old ones.
# breaks: 1
# kills: test_any_number, test_any_shape, test_sum, test_uneven
# misconception: replicas-stay-equal
def allreduce(data):
    for mine in data:
        for other in data:
            if other is not mine:
                mine += other.to(mine.device)


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
