# Asks the side stream again and again until it is done: that is a wait.
# breaks: 6
# kills: test_no_wait
# misconception: host-orders-streams
def run_both(x, y):
    current, side = gpu.current_stream(), gpu.Stream()
    side.wait_stream(current)
    xs = [x @ x for _ in range(5)]
    with gpu.stream(side):
        ys = [y @ y for _ in range(5)]
    while not side.query():
        pass
    return xs, ys
