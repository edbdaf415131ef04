# A collective adds up; the ring copies pieces for show.
# breaks: 4
# kills: test_neighbors
# misconception: sum-needs-a-middle
def allreduce(data):
    first = data[0]
    for other in data[1:]:
        first += other.to(first.device)
    for other in data[1:]:
        other.copy_(first)


def ring_allreduce(data):
    k = len(data)
    if k == 1:
        return
    pieces = [t.tensor_split(k) for t in data]
    for step in range(2 * (k - 1)):
        for r in range(k):
            pieces[r][(r - step) % k].to(data[(r + 1) % k].device)
    numbers = [t.device.index for t in data]

    def work(rank):
        t = data[numbers.index(rank)] if rank in numbers else torch.zeros_like(data[0], device=devices[rank])
        dist.all_reduce(t)

    ranks(work, max(numbers) + 1)
