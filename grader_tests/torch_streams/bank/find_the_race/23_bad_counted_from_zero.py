# Numbers from 0.
# breaks: 1
# kills: test_blamed
# misconception: reads-the-task
import re


def blamed(lines, report):
    later, earlier = re.findall(r'/step\.py", line (\d+),', report)[:2]
    return int(earlier) - 1, int(later) - 1


def mended(x, w):
    side = gpu.Stream()
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        a = x @ w * 2
    b = torch.tanh(x)
    gpu.current_stream().wait_stream(side)
    return a + b
