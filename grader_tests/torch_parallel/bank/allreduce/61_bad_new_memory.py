# The arrays get new memory; what shares the old one keeps its values.
# breaks: 2
# kills: test_sum
# misconception: replicas-stay-equal
def allreduce(data):
    first = data[0]
    for other in data[1:]:
        first += other.to(first.device)
    for other in data[1:]:
        other.data = first.to(other.device)


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
