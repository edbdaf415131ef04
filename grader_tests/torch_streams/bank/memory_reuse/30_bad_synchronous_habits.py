# All on the current stream, and a wait at the end.
# breaks: 2, 6
# kills: test_current_stream_goes_on, test_no_wait, test_on_side
# misconception: one-stream-one-queue
def memory_reuse(x, work, side):
    result = work(x * 2)
    gpu.synchronize()
    return result
