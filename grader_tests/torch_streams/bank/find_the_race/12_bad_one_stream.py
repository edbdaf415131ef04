# All in one stream.
# breaks: 3
# kills: test_still_side_by_side
# misconception: one-stream-one-queue
def blamed(lines, report):
    later, earlier = report.split("Previous access")
    earlier = earlier.split("Tensor was allocated")[0]

    def line_of(access):
        (frame,) = [frame for frame in access.splitlines() if '/step.py"' in frame]
        return int(frame.split("line ")[1].split(",")[0])

    return line_of(earlier), line_of(later)


def mended(x, w):
    return x @ w * 2 + torch.tanh(x)
