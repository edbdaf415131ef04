# A side stream of high priority.
def run_both(x, y):
    side = gpu.Stream(priority=-1)
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        xs = [x @ x for _ in range(5)]
    ys = [y @ y for _ in range(5)]
    gpu.current_stream().wait_stream(side)
    return xs, ys
