# A reference is kept until its event has been passed, but the event stands before the work.
# breaks: 4
# kills: test_memory, test_value
# misconception: freed-and-still-read
_kept = []


def memory_reuse(x, work, side):
    t = x * 2
    _kept[:] = [(event, tensor) for event, tensor in _kept if not event.query()]
    made = gpu.current_stream().record_event()
    side.wait_event(made)
    with gpu.stream(side):
        result = work(t)
    _kept.append((made, t))
    return result
