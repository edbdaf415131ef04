# All results of mended of one size are in the same tensor.
# breaks: 5
# kills: test_value
# misconception: reads-the-task
import re


def blamed(lines, report):
    frame = re.compile(r'^\s*File "(?:[^"\n]*[/\\])?step\.py", line (\d+)', re.MULTILINE)
    later = report.index("CSAN detected")
    earlier = report.index("Previous access by", later)
    return int(frame.search(report, earlier)[1]), int(frame.search(report, later)[1])


_sums = {}


def mended(x, w):
    current, side = gpu.current_stream(), gpu.Stream()
    side.wait_stream(current)
    with gpu.stream(side):
        a = x @ w * 2
    b = torch.tanh(x)
    current.wait_stream(side)
    a.record_stream(current)
    key = x.shape, x.dtype
    if key not in _sums:
        _sums[key] = torch.empty_like(b)
    return torch.add(a, b, out=_sums[key])
