# Takes the deepest frame that is not in site-packages.
# breaks: 1
# kills: test_blamed
# misconception: reads-the-task
def blamed(lines, report):
    later, earlier = report.split("Previous access")

    def line_of(access):
        frames = [row for row in access.splitlines() if row.startswith("  File") and "site-packages" not in row]
        return int(frames[-1].split("line ")[1].split(",")[0])

    return line_of(earlier.split("Tensor was allocated")[0]), line_of(later)


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
