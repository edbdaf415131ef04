# A side stream, but the same one for both.
# breaks: 3
# kills: test_side_by_side
# misconception: one-stream-one-queue
def run_both(x, y):
    side = gpu.Stream()
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        xs = [x @ x for _ in range(5)]
        ys = [y @ y for _ in range(5)]
    gpu.current_stream().wait_stream(side)
    return xs, ys
