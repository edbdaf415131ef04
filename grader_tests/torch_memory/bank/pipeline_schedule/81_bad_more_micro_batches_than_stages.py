# Right if there are at least as many micro-batches as stages.
# breaks: 6
# kills: test_few_microbatches
# misconception: pipeline-bubble
def gpipe(stages, microbatches):
    return [[f"{kind}{m}" for kind in "FB" for m in range(microbatches)] for _ in range(stages)]


def one_f_one_b(stages, microbatches):
    schedule = []
    for r in range(stages):
        first = stages - r
        actions = [f"F{m}" for m in range(first)]
        for m in range(microbatches - first):
            actions += [f"B{m}", f"F{m + first}"]
        actions += [f"B{m}" for m in range(microbatches - first, microbatches)]
        schedule.append(actions)
    return schedule
