# One expression for all; the sum by an add of alpha=2 on the current stream.
import re

ACCESS = re.compile(
    r'^(?P<kind>Access|Previous access) by.*?File "(?:[^"\n]*/)?step\.py", line (?P<line>[0-9]+),', re.S | re.M)


def blamed(lines, report):
    found = {match["kind"]: int(match["line"]) for match in ACCESS.finditer(report)}
    return found["Previous access"], found["Access"]


def mended(x, w):
    side = gpu.Stream()
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        p = x @ w
        joined = side.record_event()
    b = torch.tanh(x)
    joined.wait()
    p.record_stream(gpu.current_stream())
    x.record_stream(side)
    w.record_stream(side)
    return torch.add(b, p, alpha=2)
