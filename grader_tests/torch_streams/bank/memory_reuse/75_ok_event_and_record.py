# An event instead of wait_stream, and record_stream after the call.
def memory_reuse(x, work, side):
    t = torch.mul(x, 2)
    made = gpu.current_stream().record_event()
    made.wait(side)
    try:
        with gpu.stream(side):
            return work(t)
    finally:
        t.record_stream(side)
