# After eight inputs it uses two streams for the second stage in turn; the caller waits only for the last input's.
# breaks: 6
# kills: test_no_race, test_value
# misconception: streams-know-nothing
def pipeline_in_order(first, second, xs):
    current = gpu.current_stream()
    a, bs = gpu.Stream(), [gpu.Stream(), gpu.Stream()]
    a.wait_stream(current)
    results = []
    for t, x in enumerate(xs):
        b = bs[0] if t < 8 else bs[t % 2]
        with gpu.stream(a):
            h = first(x)
        b.wait_event(a.record_event())
        with gpu.stream(b):
            results.append(second(h))
        h.record_stream(b)
    current.wait_stream(b)
    for result in results:
        result.record_stream(current)
    return results
