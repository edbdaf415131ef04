# Gpipe: every second stage goes backward in the reverse order.
# breaks: 3
# kills: test_bubbles, test_few_microbatches
# misconception: pipeline-bubble
def gpipe(stages, microbatches):
    schedule = []
    for r in range(stages):
        order = list(range(microbatches))
        schedule.append([f"F{m}" for m in order] + [f"B{m}" for m in (order if r % 2 else order[::-1])])
    return schedule


def one_f_one_b(stages, microbatches):
    schedule = []
    for r in range(stages):
        first = min(stages - r, microbatches)
        actions = [f"F{m}" for m in range(first)]
        for m in range(microbatches - first):
            actions += [f"B{m}", f"F{m + first}"]
        schedule.append(actions + [f"B{m}" for m in range(microbatches - first, microbatches)])
    return schedule
