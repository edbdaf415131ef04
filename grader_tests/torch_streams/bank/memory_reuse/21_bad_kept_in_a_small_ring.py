# Kept in a list that is emptied too early.
# breaks: 4
# kills: test_memory, test_value
# misconception: freed-and-still-read
def memory_reuse(x, work, side):
    kept = []
    t = x * 2
    kept.append(t)
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        result = work(kept[0])
    kept.clear()
    return result
