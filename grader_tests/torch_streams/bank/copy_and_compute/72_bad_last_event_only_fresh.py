# Waits for the event after the last copy, and then gives all of them away.
# breaks: 4
# kills: test_first_result_is_not_late
# misconception: place-in-a-stream
def copy_and_compute(xs, consume):
    side, hosts, kept = gpu.Stream(), [], []
    for x in xs:
        kept.append(x @ x)
        side.wait_stream(gpu.current_stream())
        with gpu.stream(side):
            hosts.append(kept[-1].to("cpu", non_blocking=True))
    side.record_event().synchronize()
    for host in hosts:
        consume(host)
