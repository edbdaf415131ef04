# One micro-batch at a time, there and back.
# breaks: 3
# kills: test_bubbles, test_few_microbatches
# misconception: pipeline-bubble
def gpipe(stages, microbatches):
    forward = [f"F{number}" for number in range(microbatches)]
    backward = [f"B{number}" for number in range(microbatches)]
    return [forward + backward for _ in range(stages)]


def one_f_one_b(stages, microbatches):
    return [[f"{kind}{n}" for n in range(microbatches) for kind in "FB"] for _ in range(stages)]
