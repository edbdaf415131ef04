# In pairs, and back in pairs; the ring as a helper for both rounds.
def allreduce(data):
    k, far = len(data), 1
    while far < k:
        for i in range(0, k - far, 2 * far):
            data[i] += data[i + far].to(data[i].device)
        far *= 2
    while far > 1:
        far //= 2
        for i in range(0, k - far, 2 * far):
            data[i + far].copy_(data[i])


def ring_allreduce(data):
    k = len(data)

    def turn(first, take):
        for step in range(k - 1):
            for r in range(k):
                n = (r + first - step) % k
                there = data[(r + 1) % k].tensor_split(k)[n]
                take(there, data[r].tensor_split(k)[n].to(there.device))

    turn(0, torch.Tensor.add_)
    turn(1, torch.Tensor.copy_)
