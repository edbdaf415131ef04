# Two threads, each with a stream of its own.
from concurrent.futures import ThreadPoolExecutor


def run_both(x, y):
    current = gpu.current_stream()
    streams = [gpu.Stream(), gpu.Stream()]
    for stream in streams:
        stream.wait_stream(current)

    def products(matrix, stream):
        with gpu.stream(stream):
            return [matrix @ matrix for _ in range(5)]

    with ThreadPoolExecutor(2) as pool:
        xs, ys = pool.map(products, (x, y), streams)
    for stream in streams:
        current.wait_stream(stream)
    return xs, ys
