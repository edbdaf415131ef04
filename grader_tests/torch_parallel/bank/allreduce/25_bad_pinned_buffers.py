# No wait, but by pinned memory of the host.
# breaks: 3
# kills: test_not_by_the_host
# misconception: copy-is-free
def allreduce(data):
    hosts = [tensor.to("cpu", non_blocking=True) for tensor in data]
    for tensor in data:
        for other in data:
            gpu.current_stream(tensor.device).wait_stream(gpu.current_stream(other.device))
    for tensor in data:
        mine = tensor.clone()
        for host, other in zip(hosts, data):
            if other is not tensor:
                mine += host.to(tensor.device, non_blocking=True)
        tensor.copy_(mine)


def ring_allreduce(data):
    k = len(data)
    pieces = [tensor.tensor_split(k) for tensor in data]
    for step in range(k - 1):
        sent = [pieces[r][(r - step) % k].to(data[(r + 1) % k].device) for r in range(k)]
        for r in range(k):
            pieces[(r + 1) % k][(r - step) % k].add_(sent[r])
    for step in range(k - 1):
        for r in range(k):
            piece = (r + 1 - step) % k
            pieces[(r + 1) % k][piece].copy_(pieces[r][piece])
