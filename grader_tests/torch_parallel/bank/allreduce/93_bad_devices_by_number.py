# Copies go to devices[r], which need not be the device of the r-th array.
# breaks: 4
# kills: test_any_number
# misconception: reads-the-task
def allreduce(data):
    for tensor in data[1:]:
        data[0] += tensor.to(data[0].device)
    for tensor in data[1:]:
        tensor.copy_(data[0])


def ring_allreduce(data):
    k = len(data)
    pieces = [tensor.tensor_split(k) for tensor in data]
    for step in range(k - 1):
        sent = [pieces[r][(r - step) % k].to(devices[(r + 1) % k]) for r in range(k)]
        for r in range(k):
            target = pieces[(r + 1) % k][(r - step) % k]
            target.add_(sent[r].to(target.device))
    for step in range(k - 1):
        for r in range(k):
            pieces[(r + 1) % k][(r + 1 - step) % k].copy_(pieces[r][(r + 1 - step) % k])
