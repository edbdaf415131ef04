# Tells the allocator only if the result has one element; a larger result is taken for a view that keeps the memory.
# breaks: 4
# kills: test_memory, test_value
# misconception: freed-and-still-read
def memory_reuse(x, work, side):
    t = x * 2
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        result = work(t)
    if isinstance(result, torch.Tensor) and result.numel() == 1:
        t.record_stream(side)
    return result
