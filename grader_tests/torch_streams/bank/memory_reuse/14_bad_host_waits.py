# The host waits for side.
# breaks: 6
# kills: test_current_stream_goes_on, test_no_wait
# misconception: host-orders-streams
def memory_reuse(x, work, side):
    t = x * 2
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        result = work(t)
    side.synchronize()
    return result
