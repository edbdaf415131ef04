# Looks for the text of the deepest frame among the lines; the host waits for the side stream.
# breaks: 1, 4
# kills: test_blamed, test_no_wait
# misconception: reads-the-task
def blamed(lines, report):
    traces = report.split("With stack trace:")[1:3]

    def number(trace):
        for text in reversed(trace.splitlines()):
            for n, line in enumerate(lines, 1):
                if line.strip() and line.strip() == text.strip():
                    return n
        return None

    later, earlier = map(number, traces)
    return earlier, later


def mended(x, w):
    side = gpu.Stream()
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        a = x @ w * 2
    b = torch.tanh(x)
    side.synchronize()
    return a + b
