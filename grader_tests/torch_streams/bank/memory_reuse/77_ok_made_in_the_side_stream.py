# T is made in the stream that reads it, and x is recorded there.
def memory_reuse(x, work, side):
    side.wait_stream(gpu.current_stream())
    x.record_stream(side)
    with gpu.stream(side):
        result = work(x + x)
    return result
