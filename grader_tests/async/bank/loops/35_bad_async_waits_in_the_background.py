# A thread waits, and nobody waits for the thread.
# breaks: 5
# misconception: call-means-done
import threading


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
    threading.Thread(target=nd.waitall).start()
    return y
