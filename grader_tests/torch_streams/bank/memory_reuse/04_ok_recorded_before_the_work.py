# record_stream before the work is enqueued.
def memory_reuse(x, work, side):
    doubled = torch.mul(x, 2)
    ready = gpu.Event()
    ready.record()
    doubled.record_stream(side)
    with gpu.stream(side):
        ready.wait()
        return work(doubled)
