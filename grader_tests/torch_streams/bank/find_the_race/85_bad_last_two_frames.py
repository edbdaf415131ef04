# Takes the last two frames of step.py in the text, also those of the allocation; adds in the side stream.
# breaks: 1, 2, 3
# kills: test_blamed, test_no_race, test_value
# misconception: streams-know-nothing
import re


def blamed(lines, report):
    numbers = [int(n) for n in re.findall(r'/step\.py", line (\d+)', report)]
    return numbers[-1], numbers[0]


def mended(x, w):
    side = gpu.Stream()
    side.wait_stream(gpu.current_stream())
    b = torch.tanh(x)
    with gpu.stream(side):
        a = x @ w * 2
        total = a + b
    gpu.current_stream().wait_stream(side)
    return total
