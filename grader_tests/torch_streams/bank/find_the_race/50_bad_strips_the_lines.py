# Takes the blanks off the lines of the list that it is given.
# breaks: 6
# kills: test_list_stays
# misconception: reads-the-task
import re


def blamed(lines, report):
    for number, line in enumerate(lines):
        lines[number] = line.strip()
    later, earlier = report.split("Tensor was allocated")[0].split("Previous access", 1)
    return tuple(int(re.search(r'File "[^"]*/step\.py", line (\d+)', part)[1]) for part in (earlier, later))


def mended(x, w):
    side = gpu.Stream()
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        a = x @ w * 2
    b = torch.tanh(x)
    gpu.current_stream().wait_stream(side)
    return a + b
