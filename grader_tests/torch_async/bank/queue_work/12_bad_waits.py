# Waits to be sure.
# breaks: 2
# kills: test_does_not_wait
# misconception: asks-for-a-number
def queue_work(x):
    y = (x @ x).sum()
    gpu.synchronize()
    return y
