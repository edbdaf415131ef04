# A thread waits; nobody waits for the thread.
# breaks: 5
# kills: test_asynchronous_loop_is_computed
# misconception: call-means-done
import threading


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
    threading.Thread(target=gpu.synchronize).start()
    return y
