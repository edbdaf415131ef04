# Waits now and then "to keep the queue short".
# breaks: 4
# misconception: wait-in-the-loop
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        y.wait_to_read()
    return y


def asynchronous_loop(x, steps):
    y = None
    for i in range(steps):
        y = x + 1
        if i % 10 == 9:
            y.wait_to_read()
    npx.waitall()
    return y
