# The copies of the ring on side streams, in order by wait_stream.
def allreduce(data):
    for tensor in data[1:]:
        data[0] += tensor.to(data[0].device)
    for tensor in data[1:]:
        tensor.copy_(data[0])


def ring_allreduce(data):
    k = len(data)
    pieces = [tensor.tensor_split(k) for tensor in data]
    side = [gpu.Stream(tensor.device) for tensor in data]
    for step in range(2 * (k - 1)):
        arrived = []
        for r in range(k):
            n = (r - step + (step >= k - 1) * k) % k
            side[r].wait_stream(gpu.current_stream(data[r].device))
            with gpu.stream(side[r]):
                arrived.append((n, pieces[r][n].to(data[(r + 1) % k].device, non_blocking=True)))
        for r, (n, piece) in enumerate(arrived):
            to = (r + 1) % k
            here = gpu.current_stream(data[to].device)
            here.wait_stream(side[to])
            here.wait_stream(side[r])
            piece.record_stream(here)
            (pieces[to][n].add_ if step < k - 1 else pieces[to][n].copy_)(piece)
    for r in range(k):
        gpu.current_stream(data[r].device).wait_stream(side[r])
