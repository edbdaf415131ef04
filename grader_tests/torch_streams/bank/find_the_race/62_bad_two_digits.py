# Line numbers have two digits at most.
# breaks: 1
# kills: test_blamed
# misconception: reads-the-task
import re


def blamed(lines, report):
    later, earlier = re.findall(r'/step\.py", line (\d\d?)', report)[:2]
    return int(earlier), int(later)


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
