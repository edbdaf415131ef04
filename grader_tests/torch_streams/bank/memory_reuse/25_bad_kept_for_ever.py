# A reference is kept in a list that nobody empties.
# breaks: 9
# kills: test_memory_comes_back
# misconception: freed-and-still-read
KEPT = []


def memory_reuse(x, work, side):
    t = x * 2
    KEPT.append(t)
    side.wait_event(gpu.current_stream().record_event())
    with gpu.stream(side):
        return work(t)
