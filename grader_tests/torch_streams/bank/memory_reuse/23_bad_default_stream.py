# Side waits for the default stream instead of the current one.
# breaks: 3
# kills: test_no_race, test_value
# misconception: streams-know-nothing
def memory_reuse(x, work, side):
    t = x * 2
    side.wait_stream(gpu.default_stream())
    t.record_stream(side)
    with gpu.stream(side):
        return work(t)
