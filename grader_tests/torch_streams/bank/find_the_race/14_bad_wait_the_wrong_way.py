# side waits for the current stream, and not the other way round.
# breaks: 2
# kills: test_no_race, test_value
# misconception: streams-know-nothing
def blamed(lines, report):
    later, earlier = report.split("Previous access")
    earlier = earlier.split("Tensor was allocated")[0]

    def line_of(access):
        (frame,) = [frame for frame in access.splitlines() if '/step.py"' in frame]
        return int(frame.split("line ")[1].split(",")[0])

    return line_of(earlier), line_of(later)


def mended(x, w):
    side = gpu.Stream()
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        a = x @ w * 2
    b = torch.tanh(x)
    side.wait_stream(gpu.current_stream())
    return a + b
