# A partial function keeps the tensor as long as the result lives.
import functools
import weakref


def memory_reuse(x, work, side):
    t = torch.add(x, x)
    ready = gpu.current_stream().record_event()
    with gpu.stream(side):
        side.wait_event(ready)
        result = work(t)
    weakref.finalize(side, functools.partial(lambda kept: None, t))
    result.keeps = t
    return result
