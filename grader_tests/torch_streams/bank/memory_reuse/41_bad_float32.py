# Doubles x as float32, whatever its type is.
# breaks: 1
# kills: test_value
# misconception: reads-the-task
def memory_reuse(x, work, side):
    t = x.float() * 2
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        result = work(t)
    t.record_stream(side)
    return result
