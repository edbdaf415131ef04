# The smallest change: one line more in the program.
def blamed(lines, report):
    numbers = []
    for line in report.split("\n"):
        if "Tensor was allocated" in line:
            break
        if 'step.py", line ' in line and ('/step.py"' in line or '"step.py"' in line):
            numbers.append(int(line.split("line ")[1].split(",")[0]))
    later, earlier = numbers
    return earlier, later


def mended(x, w):
    side = gpu.Stream()
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        a = x @ w * 2
    b = torch.tanh(x)
    gpu.current_stream().wait_stream(side)
    return a + b
