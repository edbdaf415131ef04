# All on the current stream.
# breaks: 2
# kills: test_current_stream_goes_on, test_on_side
# misconception: one-stream-one-queue
def memory_reuse(x, work, side):
    return work(x * 2)
