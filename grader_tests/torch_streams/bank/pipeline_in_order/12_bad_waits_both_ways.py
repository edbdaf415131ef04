# The first stage also waits for the second one.
# breaks: 3
# kills: test_side_by_side
# misconception: one-stream-one-queue
def pipeline_in_order(first, second, xs):
    current, late = gpu.current_stream(), gpu.Stream()
    results, kept = [], []
    for x in xs:
        current.wait_stream(late)
        h = first(x)
        kept.append(h)
        late.wait_stream(current)
        with gpu.stream(late):
            results.append(second(h))
    current.wait_stream(late)
    return results
