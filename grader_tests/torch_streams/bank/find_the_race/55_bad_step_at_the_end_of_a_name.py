# Takes each file whose name ends in step.py, by a regular expression.
# breaks: 1
# kills: test_blamed
# misconception: reads-the-task
import re


def blamed(lines, report):
    later, earlier = re.findall(r'step\.py", line (\d+)', report)[:2]
    return int(earlier), int(later)


def mended(x, w):
    here, side = gpu.current_stream(), gpu.Stream()
    side.wait_stream(here)
    with gpu.stream(side):
        a = x @ w * 2
    b = torch.tanh(x)
    here.wait_stream(side)
    return a + b
