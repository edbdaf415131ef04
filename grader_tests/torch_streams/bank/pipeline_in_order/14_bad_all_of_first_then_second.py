# One wait between all of first and all of second.
# breaks: 3
# kills: test_side_by_side
# misconception: one-stream-one-queue
def pipeline_in_order(first, second, xs):
    current, late = gpu.current_stream(), gpu.Stream()
    hidden = [first(x) for x in xs]
    late.wait_stream(current)
    with gpu.stream(late):
        results = [second(h) for h in hidden]
    current.wait_stream(late)
    return results
