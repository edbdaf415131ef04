# record_stream for x, which lives anyway.
# breaks: 4
# kills: test_memory, test_value
# misconception: freed-and-still-read
def memory_reuse(x, work, side):
    side.wait_stream(gpu.current_stream())
    t = x * 2
    side.wait_stream(gpu.current_stream())
    x.record_stream(side)
    with gpu.stream(side):
        return work(t)
