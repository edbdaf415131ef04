# Each product is waited for in a thread of its own, which may take a hundredth of a second.
# breaks: 6
# misconception: wait-in-the-loop
import threading


def run_and_copy(x):
    copies = []
    for _ in range(10):
        y = nd.dot(x, x)
        waiter = threading.Thread(target=y.wait_to_read)
        waiter.start()
        waiter.join(timeout=0.01)
        copies.append(y.copyto(mx.cpu()))
    nd.waitall()
    return copies
