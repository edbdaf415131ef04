# The products are computed with float32, whatever the type.
# breaks: 1
# kills: test_value
def run_both(x_a, x_b):
    x_a, x_b = x_a.astype("float32"), x_b.astype("float32")
    ys_a = [nd.dot(x_a, x_a) for _ in range(10)]
    ys_b = [nd.dot(x_b, x_b) for _ in range(10)]
    return ys_a, ys_b
