# The caller reads too early.
# breaks: 6
# kills: test_no_race, test_value
# misconception: streams-know-nothing
def pipeline_in_order(first, second, xs):
    current, late = gpu.current_stream(), gpu.Stream()
    results = []
    for x in xs:
        h = first(x)
        h.record_stream(late)
        late.wait_event(current.record_event())
        with gpu.stream(late):
            results.append(second(h))
    return results
