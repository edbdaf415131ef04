# Reads the report line by line; two side streams in mended.
def blamed(lines, report):
    found = {}
    part = None
    for line in report.splitlines():
        if line.startswith("Access by stream"):
            part = "later"
        elif line.startswith("Previous access"):
            part = "earlier"
        elif line.startswith("Tensor was allocated"):
            part = None
        elif part and "/step.py" in line:
            found[part] = int(line.split(",")[1].replace("line", ""))
    return [found["earlier"], found["later"]]


def mended(x, w):
    current = gpu.current_stream()
    one, two = gpu.Stream(), gpu.Stream()
    one.wait_stream(current)
    two.wait_stream(current)
    with gpu.stream(one):
        a = 2 * (x @ w)
    with gpu.stream(two):
        b = torch.tanh(x)
    current.wait_stream(one)
    current.wait_stream(two)
    return a + b
