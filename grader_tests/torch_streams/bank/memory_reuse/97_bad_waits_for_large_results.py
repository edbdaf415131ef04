# Lets the current stream wait for side if the result is large, so that the caller can read it at once.
# breaks: 5
# kills: test_current_stream_goes_on
# misconception: wait-stream-waits-for-all
def memory_reuse(x, work, side):
    t = x * 2
    current = gpu.current_stream()
    side.wait_stream(current)
    with gpu.stream(side):
        result = work(t)
    t.record_stream(side)
    if isinstance(result, torch.Tensor) and result.numel() >= t.numel():
        current.wait_stream(side)
        result.record_stream(current)
    return result
