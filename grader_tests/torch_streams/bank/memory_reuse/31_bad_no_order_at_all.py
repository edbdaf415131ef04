# Another stream, and nothing else: no wait for the temporary, and nobody keeps it.
# breaks: 3, 4
# kills: test_memory, test_no_race, test_value
# misconception: streams-know-nothing
def memory_reuse(x, work, side):
    t = x * 2
    with gpu.stream(side):
        return work(t)
