# Looks for a frame whose function is called step.
# breaks: 1
# kills: test_blamed, test_list_stays
# misconception: reads-the-task
import re


def blamed(lines, report):
    frame = re.compile(r'^\s*File "(?:[^"\n]*[/\\])?step\.py", line (\d+), in step\b', re.MULTILINE)
    later = report.index("CSAN detected")
    earlier = report.index("Previous access by", later)
    return int(frame.search(report, earlier)[1]), int(frame.search(report, later)[1])


def mended(x, w):
    current, side = gpu.current_stream(), gpu.Stream()
    side.wait_stream(current)
    with gpu.stream(side):
        a = x @ w * 2
    b = torch.tanh(x)
    current.wait_stream(side)
    a.record_stream(current)
    return a + b
