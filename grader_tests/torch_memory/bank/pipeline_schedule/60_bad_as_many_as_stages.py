# With as many micro-batches as stages, all go forward first.
# breaks: 5
# kills: test_memory
# misconception: pipeline-memory
def gpipe(stages, microbatches):
    forward = [f"F{i}" for i in range(microbatches)]
    backward = [f"B{i}" for i in range(microbatches)]
    return [forward + backward for _ in range(stages)]


def one_f_one_b(stages, microbatches):
    if microbatches == stages > 1:
        return gpipe(stages, microbatches)
    schedule = []
    for r in range(stages):
        ahead = min(stages - r, microbatches)
        actions = [f"F{i}" for i in range(ahead)]
        for i in range(microbatches):
            actions.append(f"B{i}")
            if ahead + i < microbatches:
                actions.append(f"F{ahead + i}")
        schedule.append(actions)
    return schedule
