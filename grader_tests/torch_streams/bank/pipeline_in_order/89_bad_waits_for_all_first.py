# The second stream waits for the first one when all first stages stand there.
# breaks: 3
# kills: test_side_by_side
# misconception: one-stream-one-queue
def pipeline_in_order(first, second, xs):
    here, one, two = gpu.current_stream(), gpu.Stream(), gpu.Stream()
    one.wait_stream(here)
    with gpu.stream(one):
        halves = [first(x) for x in xs]
    two.wait_stream(one)
    with gpu.stream(two):
        results = [second(h) for h in halves]
    for h in halves:
        h.record_stream(two)
    for r in results:
        r.record_stream(here)
    here.wait_stream(two)
    return results
