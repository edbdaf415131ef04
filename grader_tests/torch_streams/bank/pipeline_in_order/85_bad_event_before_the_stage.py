# Records the event before the first stage of the same input: one place too early.
# breaks: 2
# kills: test_in_order, test_no_race, test_value
# misconception: streams-know-nothing
def pipeline_in_order(first, second, xs):
    here, one, two = gpu.current_stream(), gpu.Stream(), gpu.Stream()
    one.wait_stream(here)
    results = []
    for x in xs:
        event = one.record_event()
        with gpu.stream(one):
            h = first(x)
        two.wait_event(event)
        with gpu.stream(two):
            results.append(second(h))
        h.record_stream(two)
        results[-1].record_stream(here)
    here.wait_stream(two)
    return results
