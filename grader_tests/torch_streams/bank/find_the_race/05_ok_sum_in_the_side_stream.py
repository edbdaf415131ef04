# The sum in the side stream, which waits for tanh; the current one waits for all.
def blamed(lines, report):
    later, earlier = report.split("Previous access")
    earlier = earlier.split("Tensor was allocated")[0]

    def line_of(access):
        (frame,) = [frame for frame in access.splitlines() if '/step.py"' in frame]
        return int(frame.split("line ")[1].split(",")[0])

    return line_of(earlier), line_of(later)


def mended(x, w):
    current, side = gpu.current_stream(), gpu.Stream()
    side.wait_stream(current)
    with gpu.stream(side):
        a = x @ w * 2
    b = torch.tanh(x)
    b.record_stream(side)
    side.wait_stream(current)
    with gpu.stream(side):
        result = a + b
    current.wait_stream(side)
    return result
