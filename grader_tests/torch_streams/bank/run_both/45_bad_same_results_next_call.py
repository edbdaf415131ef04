# The next call with such matrices writes into the results of this one.
# breaks: 1
# kills: test_side_by_side, test_value
# misconception: one-stream-one-queue
_results = {}


def _outs(name, matrix):
    key = name, matrix.shape, matrix.dtype
    if key not in _results:
        _results[key] = [torch.empty(matrix.shape, dtype=matrix.dtype, device=matrix.device) for _ in range(5)]
    return _results[key]


def run_both(x, y):
    x, y = x.detach(), y.detach()
    current, side = gpu.current_stream(), gpu.Stream()
    xs, ys = _outs("x", x), _outs("y", y)
    side.wait_stream(current)
    with gpu.stream(side):
        for out in xs:
            torch.mm(x, x, out=out)
    for out in ys:
        torch.mm(y, y, out=out)
    current.wait_stream(side)
    return list(xs), list(ys)
