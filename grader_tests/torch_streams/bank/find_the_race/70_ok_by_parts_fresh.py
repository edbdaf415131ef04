# Cuts the report at its headings; the scaling on the current stream, after the wait.
def blamed(lines, report):
    parts = report.split("With stack trace:\n")

    def line_of(part):
        for number, line in enumerate(part.split("\n")):
            if "/step.py" in line:
                return int("".join(c for c in line.split(", ")[1] if c.isdigit()))

    return line_of(parts[2]), line_of(parts[1])


def mended(x, w):
    side = gpu.Stream()
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        product = x @ w
    half = torch.tanh(x)
    gpu.current_stream().wait_stream(side)
    return torch.add(half, product, alpha=2)
