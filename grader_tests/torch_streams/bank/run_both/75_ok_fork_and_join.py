# A context manager that forks a stream and joins it.
import contextlib


@contextlib.contextmanager
def forked(parent, *read):
    child = gpu.Stream()
    child.wait_stream(parent)
    with gpu.stream(child):
        yield child
    for tensor in read:
        tensor.record_stream(child)


def run_both(x, y):
    current = gpu.current_stream()
    with forked(current, x) as left:
        xs = [x.matmul(x) for _ in range(5)]
    with forked(current, y) as right:
        ys = [y.matmul(y) for _ in range(5)]
    for child in (left, right):
        current.wait_stream(child)
    for p in (*xs, *ys):
        p.record_stream(current)
    return xs, ys
