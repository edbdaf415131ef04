# The first stage waits for the second one of the input before: all in one line.
# breaks: 3
# kills: test_side_by_side
# misconception: one-stream-one-queue
def pipeline_in_order(first, second, xs):
    here, one, two = gpu.current_stream(), gpu.Stream(), gpu.Stream()
    one.wait_stream(here)
    results = []
    for x in xs:
        with gpu.stream(one):
            h = first(x)
        two.wait_stream(one)
        with gpu.stream(two):
            results.append(second(h))
        one.wait_stream(two)
    here.wait_stream(two)
    return results
