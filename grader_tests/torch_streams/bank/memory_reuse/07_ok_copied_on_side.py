# The current stream doubles, side makes a copy of its own; the first one is recorded.
def memory_reuse(x, work, side):
    t = x.mul(2)
    side.wait_stream(gpu.current_stream())
    t.record_stream(side)
    with gpu.stream(side):
        own = t.clone()
        del t
        result = work(own)
    return result
