# What the first stage has made is freed too early.
# breaks: 7
# kills: test_memory, test_value
# misconception: freed-and-still-read
def pipeline_in_order(first, second, xs):
    current, late = gpu.current_stream(), gpu.Stream()
    results = []
    for x in xs:
        h = first(x)
        late.wait_event(current.record_event())
        with gpu.stream(late):
            results.append(second(h))
        del h
    current.wait_stream(late)
    return results
