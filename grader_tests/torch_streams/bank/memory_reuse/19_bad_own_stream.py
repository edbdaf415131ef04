# A stream of its own in the place of side.
# breaks: 2
# kills: test_on_side
# misconception: one-stream-one-queue
def memory_reuse(x, work, side):
    other = gpu.Stream()
    other.wait_stream(gpu.current_stream())
    t = x * 2
    other.wait_stream(gpu.current_stream())
    with gpu.stream(other):
        result = work(t)
    t.record_stream(other)
    side.wait_stream(other)
    return result
