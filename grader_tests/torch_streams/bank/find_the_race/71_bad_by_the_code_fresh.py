# Looks up the text of the frame among the lines: the same text may stand there twice, or moved.
# breaks: 1
# kills: test_blamed
# misconception: reads-the-task
def blamed(lines, report):
    later, earlier = report.split("Previous access")
    code = [part.split('/step.py"')[1].splitlines()[1].strip() for part in (earlier, later)]
    stripped = [line.strip() for line in lines]
    return stripped.index(code[0]), stripped.index(code[1])


def mended(x, w):
    side = gpu.Stream()
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        a = x @ w * 2
    b = torch.tanh(x)
    gpu.current_stream().wait_stream(side)
    return a + b
