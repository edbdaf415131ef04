# Pieces of the elements: views of the flattened arrays; the sum is stacked at the second device.
def allreduce(data):
    home = data[-1].device
    stacked = torch.stack([t.detach().to(home) for t in data])
    total = stacked.sum(dim=0, dtype=data[0].dtype)
    [t.copy_(total) for t in data]


def ring_allreduce(data):
    k, n = len(data), data[0].numel()
    bounds = [n * i // k for i in range(k + 1)]

    def piece(r, number):
        number %= k
        return data[r % k].view(-1)[bounds[number] : bounds[number + 1]]

    for turn in range(2 * (k - 1)):
        for r in range(k):
            mine, theirs = piece(r, r - turn), piece(r + 1, r - turn)
            if turn < k - 1:
                theirs.add_(mine.to(theirs.device))
            else:
                theirs.copy_(mine)
