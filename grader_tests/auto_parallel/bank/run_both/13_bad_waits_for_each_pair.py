# Both devices get one product, then both are waited for, ten times.
# breaks: 5
# misconception: devices-in-turn
def run_both(x_a, x_b):
    ys_a, ys_b = [], []
    for _ in range(10):
        ys_a.append(nd.dot(x_a, x_a))
        ys_b.append(nd.dot(x_b, x_b))
        nd.waitall()
    return ys_a, ys_b
