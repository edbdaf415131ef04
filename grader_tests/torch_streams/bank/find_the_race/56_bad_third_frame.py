# Takes the third frame of each trace.
# breaks: 1
# kills: test_blamed
# misconception: reads-the-task
def blamed(lines, report):
    later, earlier = report.split("Previous access")
    earlier = earlier.split("Tensor was allocated")[0]

    def line_of(access):
        frames = [text for text in access.splitlines() if text.strip().startswith("File")]
        frame = frames[2] if len(frames) > 2 else frames[-1]
        return int(frame.split("line ")[1].split(",")[0])

    return line_of(earlier), line_of(later)


def mended(x, w):
    """Compute x @ w * 2 + tanh(x) without a race, with the product overlapping tanh.

    x, w: square tensors on the device, perhaps still pending on the current stream.  Returns a tensor of their size.
    """
    side = gpu.Stream()
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        a = x @ w * 2
    b = torch.tanh(x)
    gpu.current_stream().wait_stream(side)
    return a + b
