# A skewed loop: first of the next input is enqueued before second of this one.
def pipeline_in_order(first, second, xs):
    here, there, results = gpu.current_stream(), gpu.Stream(), []
    pending = None
    for x in [*xs, None]:
        following = None
        if x is not None:
            h = first(x)
            following = h, here.record_event()
        if pending is not None:
            h, done = pending
            there.wait_event(done)
            h.record_stream(there)
            with gpu.stream(there):
                results.append(second(h))
        pending = following
    here.wait_stream(there)
    return results
