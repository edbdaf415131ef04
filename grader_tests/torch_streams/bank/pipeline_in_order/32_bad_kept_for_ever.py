# What the first stage has made stays in a list that nobody empties.
# breaks: 9
# kills: test_memory_comes_back
# misconception: freed-and-still-read
KEPT = []


def pipeline_in_order(first, second, xs):
    current, late, results = gpu.current_stream(), gpu.Stream(), []
    for x in xs:
        KEPT.append(first(x))
        late.wait_event(current.record_event())
        with gpu.stream(late):
            results.append(second(KEPT[-1]))
    current.wait_stream(late)
    return results
