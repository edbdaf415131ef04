# The event stands before the first stage of its input.
# breaks: 2
# kills: test_in_order, test_no_race, test_value
# misconception: streams-know-nothing
def pipeline_in_order(first, second, xs):
    current, late = gpu.current_stream(), gpu.Stream()
    results, kept = [], []
    for x in xs:
        begun = current.record_event()
        h = first(x)
        kept.append(h)
        late.wait_event(begun)
        with gpu.stream(late):
            results.append(second(h))
    current.wait_stream(late)
    return results
