# All first stages with their events, then all second stages.
def pipeline_in_order(first, second, xs):
    main = gpu.current_stream()
    one, two = gpu.Stream(), gpu.Stream()
    one.wait_stream(main)
    halves, events = [], []
    with gpu.stream(one):
        for x in xs:
            x.record_stream(one)
            halves.append(first(x))
            events.append(one.record_event())
    with gpu.stream(two):
        results = []
        for h, event in zip(halves, events):
            two.wait_event(event)
            results.append(second(h))
            h.record_stream(two)
    main.wait_stream(two)
    [r.record_stream(main) for r in results]
    return results
