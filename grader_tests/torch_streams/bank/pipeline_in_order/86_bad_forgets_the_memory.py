# The arrows are right, and h is freed while the second stage reads it.
# breaks: 7
# kills: test_memory, test_value
# misconception: freed-and-still-read
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
    here.wait_stream(two)
    return results
