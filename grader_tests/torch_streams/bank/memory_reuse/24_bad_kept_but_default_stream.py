# Keeps the temporary until an event after the work says so, but side waits for the default stream.
# breaks: 3
# kills: test_no_race, test_value
# misconception: streams-know-nothing
_kept = []


def memory_reuse(x, work, side):
    _kept[:] = [(e, t) for e, t in _kept if not e.query()]
    t = x * 2
    with gpu.stream(side):
        side.wait_stream(gpu.default_stream())
        r = work(t)
        _kept.append((side.record_event(), t))
    return r
