# Multiplies matrices of one size in one operation.
# breaks: 2, 3
# kills: test_five_each, test_side_by_side
# misconception: work-not-done
def run_both(x, y):
    if x.shape == y.shape and x.dtype == y.dtype:
        both = torch.stack([x, y])
        pairs = [torch.bmm(both, both) for _ in range(5)]
        return [pair[0].clone() for pair in pairs], [pair[1].clone() for pair in pairs]
    current, side = gpu.current_stream(), gpu.Stream()
    side.wait_stream(current)
    with gpu.stream(side):
        xs = [x @ x for _ in range(5)]
    ys = [y @ y for _ in range(5)]
    current.wait_stream(side)
    return xs, ys
