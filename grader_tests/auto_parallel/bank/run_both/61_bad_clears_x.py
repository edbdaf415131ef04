# Clears the matrices when they are no longer needed.
# breaks: 6
# kills: test_value
# misconception: reads-the-task
def run_both(x_a, x_b):
    ys = [nd.dot(x_a, x_a) for _ in range(10)], [nd.dot(x_b, x_b) for _ in range(10)]
    x_a[:] = 0
    x_b[:] = 0
    return ys
