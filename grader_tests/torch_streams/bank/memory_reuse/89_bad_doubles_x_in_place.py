# Doubles x itself: the caller's tensor is another one afterwards.
# breaks: 7
# kills: test_value
# misconception: reads-the-task
def memory_reuse(x, work, side):
    t = x.mul_(2)
    t.record_stream(side)
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        return work(t)
