# Converts the results to numpy, list by list.
# breaks: 4
# misconception: devices-in-turn
def run_both(x_a, x_b):
    ys_a = [y.asnumpy() for y in run(x_a)]
    ys_b = [y.asnumpy() for y in run(x_b)]
    return ys_a, ys_b
