# A thread waits, and is waited for.
from concurrent.futures import ThreadPoolExecutor


def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        gpu.current_stream().synchronize()
    return y


def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
    with ThreadPoolExecutor(1) as pool:
        pool.submit(gpu.synchronize).result()
    return y
