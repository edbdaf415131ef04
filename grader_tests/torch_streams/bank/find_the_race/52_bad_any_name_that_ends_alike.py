# Takes the first frame of a file whose name ends in step.py, such as first_step.py.
# breaks: 1
# kills: test_blamed
# misconception: reads-the-task
def blamed(lines, report):
    later, earlier = report.split("Previous access")
    earlier = earlier.split("Tensor was allocated")[0]

    def line_of(access):
        frame = next(frame for frame in access.splitlines() if 'step.py"' in frame)
        return int(frame.split("line ")[1].split(",")[0])

    return line_of(earlier), line_of(later)


def mended(x, w):
    side = gpu.Stream()
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        a = x @ w * 2
    b = torch.tanh(x)
    gpu.current_stream().wait_stream(side)
    return a + b
