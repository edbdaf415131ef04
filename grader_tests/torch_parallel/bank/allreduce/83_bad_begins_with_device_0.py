# Takes devices[r] for the device of data[r].
# breaks: 8
# kills: test_any_number
# misconception: reads-the-task
def allreduce(data):
    total = data[0].to(devices[0], copy=True)
    for t in data[1:]:
        total += t.to(devices[0])
    for t in data:
        t.copy_(total)


def ring_allreduce(data):
    k = len(data)
    pieces = [t.tensor_split(k) for t in data]
    for step in range(2 * (k - 1)):
        for r in range(k):
            mine, target = pieces[r][(r - step) % k], pieces[(r + 1) % k][(r - step) % k]
            sent = mine.to(devices[(r + 1) % k])
            if step < k - 1:
                target.add_(sent)
            else:
                target.copy_(sent)
