# tanh waits for the product, and only the multiplication by 2 may run at the same time as it.
# breaks: 3
# kills: test_still_side_by_side
# misconception: one-stream-one-queue
import re


def blamed(lines, report):
    report = report.split("Tensor was allocated")[0]
    later, earlier = (int(n) for n in re.findall(r'/step\.py", line (\d+)', report))
    return earlier, later


def mended(x, w):
    current, side = gpu.current_stream(), gpu.Stream()
    side.wait_stream(current)
    with gpu.stream(side):
        product = x @ w
        computed = side.record_event()
        a = product * 2
    current.wait_event(computed)
    b = torch.tanh(x)
    current.wait_stream(side)
    return a + b
