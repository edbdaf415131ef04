# Slices of the elements and not of the rows, with borders by hand.
def allreduce(data):
    total = data[-1].clone()
    for tensor in data[:-1]:
        total.add_(tensor.to(total.device))
    for tensor in data:
        tensor.copy_(total)


def ring_allreduce(data):
    k, n = len(data), data[0].numel()
    flat = [tensor.view(-1) for tensor in data]
    cuts = [n * i // k for i in range(k + 1)]

    def piece(device, number):
        number %= k
        return flat[device % k][cuts[number] : cuts[number + 1]]

    for step in range(k - 1):
        for r in range(k):
            target = piece(r + 1, r - step)
            target += piece(r, r - step).to(target.device)
    for step in range(k - 1):
        for r in range(k):
            piece(r + 1, r + 1 - step).copy_(piece(r, r + 1 - step))
