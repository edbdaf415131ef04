# Waits in each fourth call, so that the queue stays short.
# breaks: 2
# kills: test_does_not_wait
# misconception: asks-for-a-number
calls_so_far = 0


def queue_work(x):
    global calls_so_far
    calls_so_far += 1
    if calls_so_far % 4 == 0:
        gpu.synchronize()
    return (x @ x).sum()
