# Each step is done by a worker, and the loop waits for the worker.
from concurrent.futures import ThreadPoolExecutor


def synchronous_loop(x, steps):
    def step(_):
        y = x + 1
        gpu.current_stream().synchronize()
        return y

    y = None
    with ThreadPoolExecutor(max_workers=1) as pool:
        for number in range(steps):
            y = pool.submit(step, number).result()
    return y


def asynchronous_loop(x, steps):
    results = [x + 1 for _ in range(steps)]
    if not results:
        return None
    gpu.synchronize()
    return results[-1]
