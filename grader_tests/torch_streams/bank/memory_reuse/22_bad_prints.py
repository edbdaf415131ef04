# A print of the result while testing.
# breaks: 6
# kills: test_current_stream_goes_on, test_no_wait
# misconception: host-orders-streams
def memory_reuse(x, work, side):
    t = x * 2
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        result = work(t)
        print("sum:", result)
    t.record_stream(side)
    return result
