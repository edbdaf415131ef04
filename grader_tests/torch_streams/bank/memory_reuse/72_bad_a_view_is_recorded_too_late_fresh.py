# Lets go of the tensor and records another one of the same values.
# breaks: 4
# kills: test_memory, test_value
# misconception: freed-and-still-read
def memory_reuse(x, work, side):
    side.wait_stream(gpu.current_stream())

    def doubled():
        return x * 2

    t = doubled()
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        result = work(t)
    other = doubled()
    other.record_stream(side)
    return result
