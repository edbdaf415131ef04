# Adds in place, after the wait.
def blamed(lines, report):
    later, earlier = report.split("Previous access")
    earlier = earlier.split("Tensor was allocated")[0]

    def line_of(access):
        (frame,) = [frame for frame in access.splitlines() if '/step.py"' in frame]
        return int(frame.split("line ")[1].split(",")[0])

    return line_of(earlier), line_of(later)


def mended(x, w):
    side = gpu.Stream()
    begun = gpu.current_stream().record_event()
    with gpu.stream(side):
        begun.wait()
        a = torch.mm(x, w).mul_(2)
        done = side.record_event()
    b = x.tanh()
    gpu.current_stream().wait_event(done)
    b += a
    return b
