# Looks whether the inputs are finite.
# breaks: 6
# kills: test_no_wait
# misconception: host-orders-streams
def run_both(x, y):
    assert torch.isfinite(x).all() and torch.isfinite(y).all()
    current, side = gpu.current_stream(), gpu.Stream()
    side.wait_stream(current)
    xs = [x @ x for _ in range(5)]
    with gpu.stream(side):
        ys = [y @ y for _ in range(5)]
    current.wait_stream(side)
    return xs, ys
