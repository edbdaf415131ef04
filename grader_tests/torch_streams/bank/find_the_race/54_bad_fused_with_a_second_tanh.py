# A product and a tanh for show; the value comes from one fused operation after a second tanh.
# breaks: 3
# kills: test_still_side_by_side
# misconception: one-stream-one-queue
import re


def blamed(lines, report):
    later, earlier = re.findall(r'"(?:[^"]*/)?step\.py", line (\d+)', report)[:2]
    return int(earlier), int(later)


def mended(x, w):
    side = gpu.Stream()
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        shown = x @ w * 2
    b = torch.tanh(x)
    gpu.current_stream().wait_stream(side)
    return torch.addmm(torch.tanh(x), x, w, alpha=2)
