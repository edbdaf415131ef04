# A check of the first device in the middle of the work of the second.
# breaks: 5
# misconception: devices-in-turn
def run_both(x_a, x_b):
    ys_a = run(x_a)
    ys_b = []
    for i in range(10):
        ys_b.append(nd.dot(x_b, x_b))
        if i == 4:
            assert ys_a[0].asnumpy() is not None
    return ys_a, ys_b
