# If x is y, the five products are computed once.
# breaks: 2
# kills: test_value
# misconception: reads-the-task
def run_both(x, y):
    here, side = gpu.current_stream(), gpu.Stream()
    side.wait_stream(here)
    xs = [x @ x for _ in range(5)]
    if x is y:
        return xs, list(xs)
    with gpu.stream(side):
        ys = [y @ y for _ in range(5)]
    here.wait_stream(side)
    return xs, ys
