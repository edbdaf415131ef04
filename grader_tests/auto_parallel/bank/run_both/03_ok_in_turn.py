# One product here, one there, without run.
def run_both(x_a, x_b):
    ys_a, ys_b = [], []
    for _ in range(10):
        ys_a.append(nd.dot(x_a, x_a))
        ys_b.append(nd.dot(x_b, x_b))
    return [ys_a, ys_b]
