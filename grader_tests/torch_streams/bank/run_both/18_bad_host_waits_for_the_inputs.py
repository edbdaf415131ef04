# The host waits for the current stream before the side stream begins.
# breaks: 6
# kills: test_no_wait
# misconception: host-orders-streams
def run_both(x, y):
    current, side = gpu.current_stream(), gpu.Stream()
    current.synchronize()
    xs = [x @ x for _ in range(5)]
    with gpu.stream(side):
        ys = [y @ y for _ in range(5)]
    current.wait_stream(side)
    return xs, ys
