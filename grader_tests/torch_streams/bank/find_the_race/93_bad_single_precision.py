# mended multiplies in float32, so a float64 value loses digits.
# breaks: 5
# kills: test_value
# misconception: reads-the-task
import re


def blamed(lines, report):
    report = report[report.index("Access by stream"):]
    frames = re.findall(r'^\s*File "(?:[^"\n]*[/\\])?step\.py", line (\d+)', report, re.MULTILINE)
    later, earlier = frames[:2]
    return int(earlier), int(later)


def mended(x, w):
    current, side = gpu.current_stream(), gpu.Stream()
    side.wait_stream(current)
    with gpu.stream(side):
        a = (x.float() @ w.float() * 2).to(x.dtype)
    b = torch.tanh(x)
    current.wait_stream(side)
    a.record_stream(current)
    return a + b
