# The first stage does not wait for the inputs.
# breaks: 5
# kills: test_no_race, test_value
# misconception: streams-know-nothing
def pipeline_in_order(first, second, xs):
    current, early, late = gpu.current_stream(), gpu.Stream(), gpu.Stream()
    results, kept = [], []
    for x in xs:
        with gpu.stream(early):
            h = first(x)
        kept.append(h)
        late.wait_stream(early)
        with gpu.stream(late):
            results.append(second(h))
    current.wait_stream(late)
    return results
