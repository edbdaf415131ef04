# One event, recorded after the last of first.
# breaks: 3
# kills: test_side_by_side
# misconception: one-stream-one-queue
def pipeline_in_order(first, second, xs):
    here, there = gpu.current_stream(), gpu.Stream()
    hidden = [first(x) for x in xs]
    done = here.record_event()
    with gpu.stream(there):
        done.wait()
        results = [second(h) for h in hidden]
    here.wait_stream(there)
    return results
