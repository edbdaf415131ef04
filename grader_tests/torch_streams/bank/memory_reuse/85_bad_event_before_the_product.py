# The event stands before t is computed.
# breaks: 3
# kills: test_no_race, test_value
# misconception: streams-know-nothing
def memory_reuse(x, work, side):
    event = gpu.current_stream().record_event()
    t = x * 2
    side.wait_event(event)
    t.record_stream(side)
    with gpu.stream(side):
        return work(t)
