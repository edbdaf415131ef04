# One product of each, five times in the list.
# breaks: 2
# kills: test_five_each
# misconception: work-not-done
def run_both(x, y):
    current, side = gpu.current_stream(), gpu.Stream()
    side.wait_stream(current)
    xs = [x @ x] * 5
    with gpu.stream(side):
        ys = [y @ y] * 5
    current.wait_stream(side)
    return xs, ys
