# The side stream does not wait for y.
# breaks: 4
# kills: test_no_race, test_value
# misconception: streams-know-nothing
def run_both(x, y):
    current, side = gpu.current_stream(), gpu.Stream()
    xs = [x @ x for _ in range(5)]
    with gpu.stream(side):
        ys = [y @ y for _ in range(5)]
    current.wait_stream(side)
    return xs, ys
