# Takes the default stream for the current one.
# breaks: 2
# kills: test_no_race, test_value
# misconception: streams-know-nothing
import re


def blamed(lines, report):
    later, earlier = [int(n) for n in re.findall(r'/step\.py", line (\d+)', report.split("Tensor was allocated")[0])]
    return earlier, later


def mended(x, w):
    here, side = gpu.default_stream(), gpu.Stream()
    side.wait_stream(here)
    with gpu.stream(side):
        a = x @ w * 2
    b = torch.tanh(x)
    here.wait_stream(side)
    a.record_stream(here)
    return a + b
