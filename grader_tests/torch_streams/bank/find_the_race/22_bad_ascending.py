# The smaller line first: what came first in time may stand below, in a loop.
# breaks: 1
# kills: test_blamed
# misconception: reads-the-task
import re


def blamed(lines, report):
    numbers = [int(number) for number in re.findall(r'/step\.py", line (\d+),', report)[:2]]
    return min(numbers), max(numbers)


def mended(x, w):
    side = gpu.Stream()
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        a = x @ w * 2
    b = torch.tanh(x)
    gpu.current_stream().wait_stream(side)
    return a + b
