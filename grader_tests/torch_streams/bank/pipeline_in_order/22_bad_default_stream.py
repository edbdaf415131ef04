# Takes the default stream for the current one.
# breaks: 2
# kills: test_in_order, test_no_race, test_value
# misconception: streams-know-nothing
def pipeline_in_order(first, second, xs):
    here, side = gpu.default_stream(), gpu.Stream()
    results = []
    for x in xs:
        h = first(x)
        side.wait_stream(here)
        h.record_stream(side)
        with gpu.stream(side):
            results.append(second(h))
    here.wait_stream(side)
    return results
