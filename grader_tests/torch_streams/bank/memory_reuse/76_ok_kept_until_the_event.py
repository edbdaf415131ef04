# Keeps references, and drops those whose event has been passed.
KEPT = []


def memory_reuse(x, work, side):
    KEPT[:] = [(event, tensor) for event, tensor in KEPT if not event.query()]
    t = 2 * x
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        result = work(t)
        KEPT.append((side.record_event(), t))
    return result
