# The current stream waits for the side stream before it goes on.
# breaks: 3
# kills: test_side_by_side
# misconception: one-stream-one-queue
def run_both(x, y):
    current, side = gpu.current_stream(), gpu.Stream()
    side.wait_stream(current)
    with gpu.stream(side):
        xs = [x @ x for _ in range(5)]
    current.wait_stream(side)
    ys = [y @ y for _ in range(5)]
    return xs, ys
