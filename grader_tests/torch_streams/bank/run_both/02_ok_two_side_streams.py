# Two side streams; both wait for the current one, and it waits for both.
def run_both(x, y):
    current = gpu.current_stream()
    streams = [gpu.Stream(), gpu.Stream()]
    lists = []
    for stream in streams:
        stream.wait_stream(current)
    for stream, matrix in zip(streams, (x, y)):
        with gpu.stream(stream):
            lists.append([torch.mm(matrix, matrix) for _ in range(5)])
    for stream in streams:
        current.wait_stream(stream)
    for product in lists[0] + lists[1]:
        product.record_stream(current)
    return lists
