# One regular expression for the frames; two side streams.
import re


def blamed(lines, report):
    start = report.index("Previous access by")
    end = report.find("Tensor was allocated", start)
    later, earlier = report[:start], report[start:] if end < 0 else report[start:end]
    pattern = re.compile(r'File "(?:[^"]*/)?step\.py", line (\d+)')
    return [int(pattern.search(part).group(1)) for part in (earlier, later)]


def mended(x, w):
    current = gpu.current_stream()
    one, two = gpu.Stream(), gpu.Stream()
    for stream in (one, two):
        stream.wait_stream(current)
        x.record_stream(stream)
    w.record_stream(one)
    with gpu.stream(one):
        a = torch.mm(x, w).mul_(2)
    with gpu.stream(two):
        b = torch.tanh(x)
    for stream, tensor in ((one, a), (two, b)):
        current.wait_stream(stream)
        tensor.record_stream(current)
    return a + b
