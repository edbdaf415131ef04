# Nobody tells the allocator of side.
# breaks: 4
# kills: test_memory, test_value
# misconception: freed-and-still-read
def memory_reuse(x, work, side):
    t = x * 2
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        result = work(t)
    return result
