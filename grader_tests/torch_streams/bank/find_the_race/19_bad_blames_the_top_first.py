# Takes the two traces in the order of the report: the later line first.
# breaks: 1
# kills: test_blamed
# misconception: reads-the-task
import re


def blamed(lines, report):
    first, second = re.findall(r'/step\.py", line (\d+),', report)[:2]
    return int(first), int(second)


def mended(x, w):
    side = gpu.Stream()
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        a = x @ w * 2
    b = torch.tanh(x)
    gpu.current_stream().wait_stream(side)
    return a + b
