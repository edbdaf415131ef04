# One forward pass too many before the first backward pass.
# breaks: 5
# kills: test_memory, test_one_stage
# misconception: pipeline-memory
def gpipe(stages, microbatches):
    return [[f"{kind}{m}" for kind in "FB" for m in range(microbatches)] for _ in range(stages)]


def one_f_one_b(stages, microbatches):
    plan = []
    for stage in range(stages):
        warm = min(stages - stage, microbatches)
        actions = [f"F{m}" for m in range(warm)]
        for m in range(microbatches - warm):
            actions += [f"F{warm + m}", f"B{m}"]
        actions += [f"B{m}" for m in range(microbatches - warm, microbatches)]
        plan.append(actions)
    return plan
