# Waits for the device after large products, since two of them would need too much memory.
# breaks: 6
# kills: test_no_wait
# misconception: host-orders-streams
def run_both(x, y):
    current, side = gpu.current_stream(), gpu.Stream()
    side.wait_stream(current)
    with gpu.stream(side):
        xs = [x @ x for _ in range(5)]
    ys = [y @ y for _ in range(5)]
    current.wait_stream(side)
    if x.numel() + y.numel() > 1000:
        gpu.synchronize()
    return xs, ys
