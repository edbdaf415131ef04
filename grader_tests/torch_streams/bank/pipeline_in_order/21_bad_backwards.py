# The results in the wrong order.
# breaks: 1
# kills: test_value
# misconception: reads-the-task
def pipeline_in_order(first, second, xs):
    current, late = gpu.current_stream(), gpu.Stream()
    results = []
    for x in xs:
        h = first(x)
        h.record_stream(late)
        late.wait_event(current.record_event())
        with gpu.stream(late):
            results.insert(0, second(h))
    current.wait_stream(late)
    return results
