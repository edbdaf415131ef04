# Waits every 50 steps, "to be safe".
# breaks: 4
# kills: test_asynchronous_all_steps_before_the_wait
# misconception: wait-in-the-loop
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        y.wait_to_read()
    return y


def asynchronous_loop(x, steps):
    y = None
    for step in range(steps):
        y = x + 1
        if step % 50 == 49:
            y.wait_to_read()
    npx.waitall()
    return y
