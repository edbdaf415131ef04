# Nothing makes the caller's stream wait for the second stage.
# breaks: 6
# kills: test_no_race, test_value
# misconception: streams-know-nothing
def pipeline_in_order(first, second, xs):
    here, one, two = gpu.current_stream(), gpu.Stream(), gpu.Stream()
    one.wait_stream(here)
    results = []
    for x in xs:
        with gpu.stream(one):
            h = first(x)
        two.wait_event(one.record_event())
        with gpu.stream(two):
            results.append(second(h))
        h.record_stream(two)
        results[-1].record_stream(here)
    return results
