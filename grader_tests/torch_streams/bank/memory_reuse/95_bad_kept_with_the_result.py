# Kept as an attribute of the result, which its caller may drop before side has read it.
# breaks: 4
# kills: test_memory, test_value
# misconception: freed-and-still-read
def memory_reuse(x, work, side):
    t = 2 * x
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        result = work(t)
    result.needs = t
    return result
