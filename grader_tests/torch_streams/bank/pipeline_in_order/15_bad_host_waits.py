# The host waits between the stages.
# breaks: 8
# kills: test_no_wait
# misconception: host-orders-streams
def pipeline_in_order(first, second, xs):
    current, late = gpu.current_stream(), gpu.Stream()
    results, kept = [], []
    for x in xs:
        h = first(x)
        kept.append(h)
        current.synchronize()
        with gpu.stream(late):
            results.append(second(h))
    current.wait_stream(late)
    return results
