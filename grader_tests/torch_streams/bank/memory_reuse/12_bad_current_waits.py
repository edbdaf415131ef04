# The current stream waits for side: safe, and nothing is side by side any more.
# breaks: 5
# kills: test_current_stream_goes_on
# misconception: wait-stream-waits-for-all
def memory_reuse(x, work, side):
    t = x * 2
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        result = work(t)
    gpu.current_stream().wait_stream(side)
    return result
