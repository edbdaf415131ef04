# The second device starts only when the first product of x_a is done.
# breaks: 4
# misconception: devices-in-turn
def run_both(x_a, x_b):
    ys_a = [nd.dot(x_a, x_a)]
    ys_a[0].wait_to_read()
    ys_b = run(x_b)
    ys_a += [nd.dot(x_a, x_a) for _ in range(9)]
    return ys_a, ys_b
