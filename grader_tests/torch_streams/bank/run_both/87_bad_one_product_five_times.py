# One product, and four more references to it.
# breaks: 2
# kills: test_five_each
# misconception: work-not-done
def run_both(x, y):
    side = gpu.Stream()
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        xs = [x @ x] * 5
    ys = [y @ y] * 5
    gpu.current_stream().wait_stream(side)
    return xs, ys
