# All of first, then all of second, with an event kept for each.
def pipeline_in_order(first, second, xs):
    early, late = gpu.Stream(), gpu.Stream()
    early.wait_stream(gpu.current_stream())
    with gpu.stream(early):
        pairs = [(first(x), gpu.current_stream().record_event()) for x in xs]
    with gpu.stream(late):
        results = []
        for h, done in pairs:
            done.wait()
            results.append(second(h))
    gpu.current_stream().wait_event(late.record_event())
    for h, _ in pairs:
        h.record_stream(late)
    return results
