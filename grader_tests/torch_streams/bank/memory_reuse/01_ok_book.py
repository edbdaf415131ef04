# The reference: record_stream.
def memory_reuse(x, work, side):
    t = x * 2
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        result = work(t)
    t.record_stream(side)
    return result
