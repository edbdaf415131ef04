# The side stream waits for the current one after the products of x are there.
# breaks: 3
# kills: test_side_by_side
# misconception: one-stream-one-queue
def run_both(x, y):
    current, side = gpu.current_stream(), gpu.Stream()
    xs = [x @ x for _ in range(5)]
    side.wait_stream(current)
    with gpu.stream(side):
        ys = [y @ y for _ in range(5)]
    current.wait_stream(side)
    return xs, ys
