# One product on each device; the others are that one plus zero.
# breaks: 2
# misconception: work-not-done
def run_both(x_a, x_b):
    y_a = nd.dot(x_a, x_a)
    y_b = nd.dot(x_b, x_b)
    return [y_a + 0 for _ in range(10)], [y_b + 0 for _ in range(10)]
