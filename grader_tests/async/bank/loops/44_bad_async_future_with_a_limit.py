# The wait of each step is given a few milliseconds in a pool of threads; if that is not enough, the loop goes on.
# breaks: 4
# kills: test_asynchronous_all_steps_before_the_wait
# misconception: wait-in-the-loop
from concurrent.futures import ThreadPoolExecutor, wait


def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        y.wait_to_read()
    return y


def asynchronous_loop(x, steps):
    y = None
    with ThreadPoolExecutor(1) as pool:
        for _ in range(steps):
            y = x + 1
            wait([pool.submit(y.wait_to_read)], timeout=0.01)
        nd.waitall()
    return y
