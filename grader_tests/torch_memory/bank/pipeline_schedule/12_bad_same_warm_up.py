# The warm-up of the first stage on all.
# breaks: 3, 5
# kills: test_bubbles, test_memory
# misconception: pipeline-memory
def gpipe(stages, microbatches):
    forward = [f"F{number}" for number in range(microbatches)]
    backward = [f"B{number}" for number in range(microbatches)]
    return [forward + backward for _ in range(stages)]


def one_f_one_b(stages, microbatches):
    ahead = min(stages, microbatches)
    actions = [f"F{n}" for n in range(ahead)]
    for n in range(microbatches):
        actions.append(f"B{n}")
        if ahead + n < microbatches:
            actions.append(f"F{ahead + n}")
    return [list(actions) for _ in range(stages)]
