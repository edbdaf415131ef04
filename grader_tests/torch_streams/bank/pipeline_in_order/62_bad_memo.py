# The first stage of an input that is in the list twice is run once.
# breaks: 4
# kills: test_each_stage_once
# misconception: work-not-done
def pipeline_in_order(first, second, xs):
    here, late, seen, results = gpu.current_stream(), gpu.Stream(), {}, []
    for x in xs:
        if id(x) not in seen:
            seen[id(x)] = first(x)
        h = seen[id(x)]
        h.record_stream(late)
        late.wait_event(here.record_event())
        with gpu.stream(late):
            results.append(second(h))
    here.wait_stream(late)
    return results
