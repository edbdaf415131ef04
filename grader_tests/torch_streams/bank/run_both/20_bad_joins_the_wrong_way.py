# At the end the side stream waits for the current one, and not the other way round.
# breaks: 5
# kills: test_no_race, test_value
# misconception: streams-know-nothing
def run_both(x, y):
    current, side = gpu.current_stream(), gpu.Stream()
    side.wait_stream(current)
    xs = [x @ x for _ in range(5)]
    with gpu.stream(side):
        ys = [y @ y for _ in range(5)]
    side.wait_stream(current)
    return xs, ys
