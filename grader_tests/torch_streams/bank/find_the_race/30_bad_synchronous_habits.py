# One stream and a wait; of the report the first two numbers of lines.
# breaks: 1, 3, 4
# kills: test_blamed, test_no_wait, test_still_side_by_side
# misconception: one-stream-one-queue
import re


def blamed(lines, report):
    first, second = re.findall(r"line (\d+)", report)[:2]
    return int(first), int(second)


def mended(x, w):
    a = x @ w * 2
    gpu.synchronize()
    return a + torch.tanh(x)
