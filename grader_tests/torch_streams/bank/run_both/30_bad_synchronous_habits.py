# As on the CPU: one stream, one product of each, and a wait after each.
# breaks: 2, 3, 6
# kills: test_five_each, test_no_wait, test_side_by_side
# misconception: one-stream-one-queue
def run_both(x, y):
    first = x @ x
    gpu.synchronize()
    second = y @ y
    gpu.synchronize()
    return [first] * 5, [second] * 5
