# side does not wait for the temporary.
# breaks: 3
# kills: test_no_race, test_value
# misconception: streams-know-nothing
def memory_reuse(x, work, side):
    t = x * 2
    with gpu.stream(side):
        result = work(t)
    t.record_stream(side)
    return result
