# A single stage of gpipe goes backward after each forward pass.
# breaks: 4
# kills: test_gpipe_order
# misconception: reads-the-task
def one_f_one_b(stages, microbatches):
    schedule = []
    for r in range(stages):
        warm = min(microbatches, stages - r)
        actions = [f"F{i}" for i in range(warm)]
        for i in range(microbatches):
            actions.append(f"B{i}")
            if warm + i < microbatches:
                actions.append(f"F{warm + i}")
        schedule.append(actions)
    return schedule


def gpipe(stages, microbatches):
    if stages == 1:
        return one_f_one_b(stages, microbatches)
    actions = [f"{kind}{i}" for kind in "FB" for i in range(microbatches)]
    return [list(actions) for _ in range(stages)]
