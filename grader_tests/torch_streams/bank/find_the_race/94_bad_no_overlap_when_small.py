# mended stays on one stream for small matrices, for which a second stream is not worth its price.
# breaks: 3
# kills: test_still_side_by_side
# misconception: one-stream-one-queue
import re


def blamed(lines, report):
    report = report[report.index("Access by stream"):]
    frames = re.findall(r'^\s*File "(?:[^"\n]*[/\\])?step\.py", line (\d+)', report, re.MULTILINE)
    later, earlier = frames[:2]
    return int(earlier), int(later)


def mended(x, w):
    if x.shape[0] < 3:
        return x @ w * 2 + torch.tanh(x)
    current, side = gpu.current_stream(), gpu.Stream()
    side.wait_stream(current)
    with gpu.stream(side):
        a = x @ w * 2
    b = torch.tanh(x)
    current.wait_stream(side)
    a.record_stream(current)
    return a + b
