# Kept as an attribute of the stream.
def memory_reuse(x, work, side):
    t = x + x
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        result = work(t)
    side.kept = getattr(side, "kept", []) + [t]
    return result
