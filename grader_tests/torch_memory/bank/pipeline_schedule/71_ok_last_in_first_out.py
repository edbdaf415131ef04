# Gpipe goes backward in the reverse order, as its paper draws it; 1F1B in PyTorch's three phases.
def gpipe(stages, microbatches):
    forward = ["F%d" % m for m in range(microbatches)]
    backward = ["B%d" % m for m in reversed(range(microbatches))]
    return [forward + backward for _ in range(stages)]


def one_f_one_b(stages, microbatches):
    schedule = []
    for rank in range(stages):
        warmup = min(stages - rank - 1, microbatches)
        steady = microbatches - warmup
        actions = [f"F{m}" for m in range(warmup)]
        for m in range(steady):
            actions.extend((f"F{warmup + m}", f"B{m}"))
        actions += [f"B{m}" for m in range(steady, microbatches)]
        schedule.append(actions)
    return schedule
