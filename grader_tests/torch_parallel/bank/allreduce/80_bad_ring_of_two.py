# The second half passes on the wrong pieces, which two devices do not notice.
# breaks: 8
# kills: test_any_number, test_sum, test_uneven
# misconception: replicas-stay-equal
def allreduce(data):
    total = data[0].clone()
    for t in data[1:]:
        total += t.to(total.device)
    for t in data:
        t.copy_(total)


def ring_allreduce(data):
    k = len(data)
    pieces = [t.tensor_split(k) for t in data]
    for step in range(k - 1):
        for r in range(k):
            target = pieces[(r + 1) % k][(r - step) % k]
            target.add_(pieces[r][(r - step) % k].to(target.device))
    for step in range(k - 1):
        for r in range(k):
            pieces[(r + 1) % k][(r + 1 + step) % k].copy_(pieces[r][(r + 1 + step) % k])
