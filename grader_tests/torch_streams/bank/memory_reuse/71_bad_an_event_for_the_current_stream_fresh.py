# The current stream waits for an event after the work.
# breaks: 5
# kills: test_current_stream_goes_on
# misconception: wait-stream-waits-for-all
def memory_reuse(x, work, side):
    t = x * 2
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        result = work(t)
        done = gpu.Event()
        done.record()
    done.wait()
    return result
