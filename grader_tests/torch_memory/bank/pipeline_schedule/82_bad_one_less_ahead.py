# Each stage but the last keeps one micro-batch less than it may: nothing breaks, the bubble grows.
# breaks: 3
# kills: test_bubbles, test_few_microbatches
# misconception: pipeline-bubble
def gpipe(stages, microbatches):
    return [[f"{kind}{m}" for kind in "FB" for m in range(microbatches)] for _ in range(stages)]


def one_f_one_b(stages, microbatches):
    schedule = []
    for r in range(stages):
        first = min(max(stages - r - 1, 1), microbatches)
        actions = [f"F{m}" for m in range(first)]
        for m in range(microbatches - first):
            actions += [f"B{m}", f"F{m + first}"]
        schedule.append(actions + [f"B{m}" for m in range(microbatches - first, microbatches)])
    return schedule
