# The temporary is kept until the next call, when side may still be at work on it.
# breaks: 4
# kills: test_memory, test_value
# misconception: freed-and-still-read
_last = {}


def memory_reuse(x, work, side):
    t = x * 2
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        result = work(t)
    _last["t"] = t
    return result
