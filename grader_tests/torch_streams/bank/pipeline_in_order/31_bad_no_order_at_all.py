# Two streams, and nothing that orders them or keeps what lies between.
# breaks: 2, 6, 7
# kills: test_in_order, test_memory, test_no_race, test_value
# misconception: streams-know-nothing
def pipeline_in_order(first, second, xs):
    side = gpu.Stream()
    results = []
    for x in xs:
        h = first(x)
        with gpu.stream(side):
            results.append(second(h))
        del h
    return results
