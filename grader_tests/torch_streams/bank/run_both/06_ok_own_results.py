# Results in tensors that were made before, by out=.
def run_both(x, y):
    current = gpu.current_stream()
    xs = [torch.empty_like(x) for _ in range(5)]
    side = gpu.Stream()
    with gpu.stream(side):
        ys = [torch.empty_like(y) for _ in range(5)]
    side.wait_stream(current)
    for out in xs:
        torch.mm(x, x, out=out)
    with gpu.stream(side):
        for out in ys:
            torch.mm(y, y, out=out)
    current.wait_stream(side)
    return xs, ys
