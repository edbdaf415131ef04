# The current stream waits for the side stream before anything is in it.
# breaks: 5
# kills: test_no_race, test_value
# misconception: streams-know-nothing
def run_both(x, y):
    side = gpu.Stream()
    side.wait_stream(gpu.current_stream())
    gpu.current_stream().wait_stream(side)
    with gpu.stream(side):
        xs = [x @ x for _ in range(5)]
    ys = [y @ y for _ in range(5)]
    return xs, ys
