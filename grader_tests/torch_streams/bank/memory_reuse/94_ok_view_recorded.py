# A context manager that lends a tensor to a stream; what is recorded is a view.
from contextlib import contextmanager


@contextmanager
def lent(tensor, stream):
    event = gpu.Event()
    event.record(gpu.current_stream())
    stream.wait_event(event)
    try:
        with gpu.stream(stream):
            yield tensor
    finally:
        tensor.view(-1).record_stream(stream)


def memory_reuse(x, work, side):
    with lent(torch.mul(x, 2), side) as t:
        return work(t)
