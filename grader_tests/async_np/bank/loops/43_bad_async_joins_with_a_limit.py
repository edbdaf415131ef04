# A thread waits in each step, and the loop waits for the thread, for a hundredth of a second at most.
# breaks: 4
# kills: test_asynchronous_all_steps_before_the_wait
# misconception: wait-in-the-loop
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
        waiter = threading.Thread(target=y.wait_to_read)
        waiter.start()
        waiter.join(timeout=0.01)
    npx.waitall()
    return y
