# The second stage does not wait.
# breaks: 2
# kills: test_in_order, test_no_race, test_value
# misconception: streams-know-nothing
def pipeline_in_order(first, second, xs):
    current, late = gpu.current_stream(), gpu.Stream()
    late.wait_stream(current)
    results, kept = [], []
    for x in xs:
        h = first(x)
        kept.append(h)
        with gpu.stream(late):
            results.append(second(h))
    current.wait_stream(late)
    return results
