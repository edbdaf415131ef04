# Of all results that are ready, the last one is consumed first.
# breaks: 1
# kills: test_value
# misconception: reads-the-task
def copy_and_compute(xs, consume):
    copies, results = gpu.Stream(), []
    for x in xs:
        y = x @ x
        copies.wait_stream(gpu.current_stream())
        with gpu.stream(copies):
            host = y.to("cpu", non_blocking=True)
        y.record_stream(copies)
        results.append((copies.record_event(), host))
    while results:
        ready = [pair for pair in results if pair[0].query()]
        pair = ready[-1] if ready else results[0]
        pair[0].synchronize()
        results = [one for one in results if one is not pair]
        consume(pair[1])
