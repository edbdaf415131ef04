# The current stream waits before tanh: no race, and no overlap.
# breaks: 3
# kills: test_still_side_by_side
# misconception: one-stream-one-queue
def blamed(lines, report):
    parts = report.split("Previous access")
    find = lambda text: int(text.split('/step.py", line ')[1].split(",")[0])
    return find(parts[1]), find(parts[0])


def mended(x, w):
    side = gpu.Stream()
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        a = x @ w * 2
    gpu.current_stream().wait_stream(side)
    b = torch.tanh(x)
    return a + b
