# Makes its inputs contiguous on the current stream after the fork, so a side stream may read the copy of a transposed one too early.
# breaks: 4
# kills: test_no_race, test_value
# misconception: streams-know-nothing
def run_both(x, y):
    current = gpu.current_stream()
    sides = gpu.Stream(), gpu.Stream()
    for side in sides:
        side.wait_stream(current)
    x, y = x.contiguous(), y.contiguous()
    with gpu.stream(sides[0]):
        xs = [x @ x for _ in range(5)]
    with gpu.stream(sides[1]):
        ys = [y @ y for _ in range(5)]
    for side in sides:
        current.wait_stream(side)
    return xs, ys
