# After each fourth input the first stage waits for the second one.
# breaks: 3
# kills: test_side_by_side
# misconception: one-stream-one-queue
def pipeline_in_order(first, second, xs):
    here, late, results = gpu.current_stream(), gpu.Stream(), []
    for t, x in enumerate(xs):
        h = first(x)
        h.record_stream(late)
        late.wait_event(here.record_event())
        with gpu.stream(late):
            results.append(second(h))
        if t % 4 == 3:
            here.wait_stream(late)
    here.wait_stream(late)
    return results
