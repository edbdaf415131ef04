# One product of each, to which 0 is added.
# breaks: 2
# kills: test_five_each
# misconception: work-not-done
def run_both(x, y):
    current, side = gpu.current_stream(), gpu.Stream()
    side.wait_stream(current)
    p = x @ x
    xs = [p + 0 for _ in range(5)]
    with gpu.stream(side):
        q = y @ y
        ys = [q + 0 for _ in range(5)]
    current.wait_stream(side)
    return xs, ys
