# Records what work returned, not what it read.
# breaks: 4
# kills: test_memory, test_value
# misconception: freed-and-still-read
def memory_reuse(x, work, side):
    current = gpu.current_stream()
    t = x * 2
    side.wait_stream(current)
    with gpu.stream(side):
        result = work(t)
    result.record_stream(current)
    return result
