# Takes the first frame of each trace, which is that of the program around.
# breaks: 1
# kills: test_blamed
# misconception: reads-the-task
def blamed(lines, report):
    numbers = []
    for trace in report.split("With stack trace:")[1:]:
        numbers.append(int(trace.split("line ")[1].split(",")[0]))
    return numbers[1], numbers[0]


def mended(x, w):
    side = gpu.Stream()
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        a = x @ w * 2
    b = torch.tanh(x)
    gpu.current_stream().wait_stream(side)
    return a + b
