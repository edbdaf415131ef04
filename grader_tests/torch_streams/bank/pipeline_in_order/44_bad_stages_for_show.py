# The results come from one stream; further calls of both stages overlap for show.
# breaks: 3, 4
# kills: test_each_stage_once, test_side_by_side
# misconception: one-stream-one-queue
def pipeline_in_order(first, second, xs):
    current, a, b = gpu.current_stream(), gpu.Stream(), gpu.Stream()
    results = [second(first(x)) for x in xs]
    a.wait_stream(current)
    b.wait_stream(current)
    for x in xs:
        with gpu.stream(a):
            h = first(x)
        h.record_stream(b)
        b.wait_event(a.record_event())
        with gpu.stream(b):
            second(h)
    current.wait_stream(b)
    return results
