# A thread waits in each step, and the loop looks every few milliseconds whether it is done, some times.
# breaks: 4
# kills: test_asynchronous_all_steps_before_the_wait
# misconception: wait-in-the-loop
import threading
import time


def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        y.wait_to_read()
    return y


def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        waiter = threading.Thread(target=y.wait_to_read)
        waiter.start()
        for _ in range(20):
            if not waiter.is_alive():
                break
            time.sleep(0.002)
    npx.waitall()
    return y
