# work gets x.
# breaks: 1
# kills: test_value
# misconception: reads-the-task
def memory_reuse(x, work, side):
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        return work(x)
