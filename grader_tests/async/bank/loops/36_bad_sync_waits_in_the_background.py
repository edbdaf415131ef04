# Each step is waited for by a thread that nobody joins before the next.
# breaks: 3
# misconception: any-wait-will-do
import threading


def synchronous_loop(x, steps):
    y, waiters = None, []
    for _ in range(steps):
        y = x + 1
        waiters.append(threading.Thread(target=y.wait_to_read))
        waiters[-1].start()
    for waiter in waiters:
        waiter.join()
    return y


def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
    nd.waitall()
    return y
