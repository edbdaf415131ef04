# The two lists in the wrong order.
# breaks: 1
# kills: test_value
# misconception: reads-the-task
def run_both(x, y):
    current, side = gpu.current_stream(), gpu.Stream()
    side.wait_stream(current)
    xs = [x @ x for _ in range(5)]
    with gpu.stream(side):
        ys = [y @ y for _ in range(5)]
    current.wait_stream(side)
    return ys, xs
