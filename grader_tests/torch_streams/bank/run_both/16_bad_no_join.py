# Nobody waits for the side stream at the end.
# breaks: 5
# kills: test_no_race, test_value
# misconception: streams-know-nothing
def run_both(x, y):
    side = gpu.Stream()
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        ys = [y @ y for _ in range(5)]
    return [x @ x for _ in range(5)], ys
