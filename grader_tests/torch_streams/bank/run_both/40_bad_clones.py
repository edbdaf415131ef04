# One product of each, and copies of it.
# breaks: 2
# kills: test_five_each
# misconception: work-not-done
def run_both(x, y):
    current, side = gpu.current_stream(), gpu.Stream()
    side.wait_stream(current)
    xs = copies(x @ x)
    with gpu.stream(side):
        ys = copies(y @ y)
    current.wait_stream(side)
    return xs, ys


def copies(product):
    return [product] + [product.clone() for _ in range(4)]
