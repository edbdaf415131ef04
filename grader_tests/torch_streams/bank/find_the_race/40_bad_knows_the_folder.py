# Searches for step.py in the folder of the example.
# breaks: 1
# kills: test_blamed, test_list_stays
# misconception: reads-the-task
def blamed(lines, report):
    later, earlier = report.split("Previous access")
    earlier = earlier.split("Tensor was allocated")[0]

    def line_of(access):
        (frame,) = [frame for frame in access.splitlines() if 'File "/home/you/step.py"' in frame]
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
