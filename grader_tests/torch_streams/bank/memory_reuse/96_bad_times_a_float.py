# Multiplies by 2.0, which makes floats of integers.
# breaks: 1
# kills: test_value
# misconception: reads-the-task
def memory_reuse(x, work, side):
    t = x * 2.0
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        result = work(t)
    t.record_stream(side)
    return result
