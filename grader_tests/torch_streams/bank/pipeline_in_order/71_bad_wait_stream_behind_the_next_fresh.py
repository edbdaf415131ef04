# The same skewed loop with wait_stream: second of t waits for first of t + 1.
# breaks: 3
# kills: test_side_by_side
# misconception: one-stream-one-queue
def pipeline_in_order(first, second, xs):
    here, there, results, kept = gpu.current_stream(), gpu.Stream(), [], []
    pending = None
    for x in [*xs, None]:
        following = None if x is None else first(x)
        if pending is not None:
            kept.append(pending)
            there.wait_stream(here)
            with gpu.stream(there):
                results.append(second(pending))
        pending = following
    here.wait_stream(there)
    return results
