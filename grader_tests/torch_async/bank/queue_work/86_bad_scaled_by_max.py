# Scales by a number of Python, so that nothing overflows: a hidden wait.
# breaks: 2
# kills: test_does_not_wait
# misconception: asks-for-a-number
def queue_work(x):
    scale = max(x.abs().max(), 1.0)
    y = x / scale
    return (y @ y).sum() * scale * scale
