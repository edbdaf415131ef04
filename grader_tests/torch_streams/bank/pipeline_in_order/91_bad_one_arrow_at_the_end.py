# One arrow, after all first stages.
# breaks: 3
# kills: test_side_by_side
# misconception: one-stream-one-queue
def pipeline_in_order(first, second, xs):
    here, one, two = gpu.current_stream(), gpu.Stream(), gpu.Stream()
    one.wait_stream(here)
    with gpu.stream(one):
        middles = [first(x) for x in xs]
    two.wait_stream(one)
    with gpu.stream(two):
        results = [second(h) for h in middles]
    for h in middles:
        h.record_stream(two)
    for result in results:
        result.record_stream(here)
    here.wait_stream(two)
    return results
