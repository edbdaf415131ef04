# The side stream waits for an event that was recorded by the side stream itself: it waits for nothing.
# breaks: 2
# kills: test_no_race, test_value
# misconception: streams-know-nothing
import re


def blamed(lines, report):
    later, earlier = re.findall(r'File "(?:[^"\n]*/)?step\.py", line (\d+)', report)[:2]
    return int(earlier), int(later)


def mended(x, w):
    side = gpu.Stream()
    with gpu.stream(side):
        ready = gpu.Event()
        ready.record()
        side.wait_event(ready)
        a = x @ w * 2
    b = torch.tanh(x)
    gpu.current_stream().wait_stream(side)
    return a + b
