# One product, and four that compute only one row of it again.
# breaks: 2
# kills: test_five_each
# misconception: work-not-done
def run_both(x, y):
    current, side = gpu.current_stream(), gpu.Stream()
    side.wait_stream(current)
    xs = five(x)
    with gpu.stream(side):
        ys = five(y)
    current.wait_stream(side)
    return xs, ys


def five(a):
    whole = a @ a
    rest = a[:1].sum() * 0  # reads a, as a product would
    return [whole] + [whole + rest for _ in range(4)]
