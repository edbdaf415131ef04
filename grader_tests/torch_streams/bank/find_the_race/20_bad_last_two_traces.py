# Takes the last two traces: that of the allocation accuses nobody.
# breaks: 1
# kills: test_blamed
# misconception: reads-the-task
import re


def blamed(lines, report):
    numbers = [int(number) for number in re.findall(r'/step\.py", line (\d+),', report)]
    return numbers[-2], numbers[-1]


def mended(x, w):
    side = gpu.Stream()
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        a = x @ w * 2
    b = torch.tanh(x)
    gpu.current_stream().wait_stream(side)
    return a + b
