# The copies wait for the default stream, not for the one that computes.
# breaks: 6
# kills: test_no_race, test_results_stay, test_value
# misconception: streams-know-nothing
def copy_and_compute(xs, consume):
    main, side = gpu.default_stream(), gpu.Stream()
    jobs = []
    for x in xs:
        y = x @ x
        side.wait_stream(main)
        y.record_stream(side)
        with gpu.stream(side):
            jobs.append((y.to("cpu", non_blocking=True), side.record_event()))
    for host, e in jobs:
        e.synchronize()
        consume(host)
