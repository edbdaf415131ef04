# An event after the product, but before it is doubled.
# breaks: 2
# kills: test_no_race, test_value
# misconception: streams-know-nothing
import re


def blamed(lines, report):
    later, earlier = re.findall(r'/step\.py", line (\d+),', report)[:2]
    return int(earlier), int(later)


def mended(x, w):
    side = gpu.Stream()
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        product = x @ w
        done = side.record_event()
        a = product * 2
    b = torch.tanh(x)
    done.wait()
    return a + b
