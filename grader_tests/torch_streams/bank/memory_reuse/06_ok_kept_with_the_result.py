# Kept as an attribute of the result.
def memory_reuse(x, work, side):
    t = 2 * x
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        result = work(t)
    result.needs = t
    return result
