# Tells the allocator of the stream that it knows already.
# breaks: 4
# kills: test_memory, test_value
# misconception: freed-and-still-read
def memory_reuse(x, work, side):
    t = x * 2
    t.record_stream(gpu.current_stream())
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        return work(t)
