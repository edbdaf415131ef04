# Three products of each, and two that are computed from these.
# breaks: 2
# kills: test_five_each
# misconception: work-not-done
def run_both(x, y):
    current, side = gpu.current_stream(), gpu.Stream()
    side.wait_stream(current)
    xs = [x @ x for _ in range(3)]
    xs += [xs[0] * 1, xs[1] * 1]
    with gpu.stream(side):
        ys = [y @ y for _ in range(3)]
        ys += [ys[0] * 1, ys[1] * 1]
    current.wait_stream(side)
    return xs, ys
