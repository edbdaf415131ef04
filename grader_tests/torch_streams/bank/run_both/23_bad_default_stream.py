# Takes the default stream for the current one.
# breaks: 4, 5
# kills: test_no_race, test_value
# misconception: streams-know-nothing
def run_both(x, y):
    here, side = gpu.default_stream(), gpu.Stream()
    side.wait_stream(here)
    with gpu.stream(side):
        xs = [x @ x for _ in range(5)]
    ys = [y @ y for _ in range(5)]
    here.wait_stream(side)
    return xs, ys
