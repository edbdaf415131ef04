# A reference is kept in a list.
KEPT = []


def memory_reuse(x, work, side):
    t = x * 2
    KEPT.append(t)
    side.wait_event(gpu.current_stream().record_event())
    with gpu.stream(side):
        return work(t)
