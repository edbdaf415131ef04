# The product on the side stream is for show, the one that counts comes after tanh on the current stream.
# breaks: 3
# kills: test_still_side_by_side
# misconception: one-stream-one-queue
import re


def blamed(lines, report):
    later, earlier = report.split("Tensor was allocated")[0].split("Previous access", 1)
    return tuple(int(re.search(r'File "[^"]*/step\.py", line (\d+)', part)[1]) for part in (earlier, later))


def mended(x, w):
    here, side = gpu.current_stream(), gpu.Stream()
    side.wait_stream(here)
    with gpu.stream(side):
        shown = x @ w * 2
    b = torch.tanh(x)
    a = x @ w * 2
    here.wait_stream(side)
    return a + b + shown * 0
