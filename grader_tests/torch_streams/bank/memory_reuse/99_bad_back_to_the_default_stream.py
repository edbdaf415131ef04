# Sets the stream by hand, and afterwards goes back to the default stream.
# breaks: 5
# kills: test_current_stream_goes_on
# misconception: wait-stream-waits-for-all
def memory_reuse(x, work, side):
    t = x * 2
    side.wait_stream(gpu.current_stream())
    t.record_stream(side)
    gpu.set_stream(side)
    try:
        return work(t)
    finally:
        gpu.set_stream(gpu.default_stream())
