# Calls work once to warm up.
# breaks: 8
# kills: test_work_once
# misconception: reads-the-task
def memory_reuse(x, work, side):
    t = x * 2
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        work(t)
        result = work(t)
    t.record_stream(side)
    return result
