# The two lines are the wrong way round; the product is done in the current stream after tanh.
# breaks: 1, 3
# kills: test_blamed, test_still_side_by_side
# misconception: one-stream-one-queue
import re


def blamed(lines, report):
    report = report.split("Tensor was allocated")[0]
    numbers = [int(n) for n in re.findall(r'/step\.py", line (\d+)', report)]
    return tuple(sorted(numbers))


def mended(x, w):
    return torch.tanh(x) + x @ w * 2
