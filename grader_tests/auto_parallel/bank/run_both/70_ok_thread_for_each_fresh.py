# A thread for each device; threads only enqueue.
from concurrent.futures import ThreadPoolExecutor


def run_both(x_a, x_b):
    with ThreadPoolExecutor(max_workers=2) as pool:
        ys_a, ys_b = pool.map(run, (x_a, x_b))
    return ys_a, ys_b
