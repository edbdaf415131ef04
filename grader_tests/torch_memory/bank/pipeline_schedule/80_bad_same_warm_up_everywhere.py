# 1F1B in which every stage goes forward with `stages` micro-batches first: too many are kept.
# breaks: 5
# kills: test_bubbles, test_memory
# misconception: pipeline-bubble
def gpipe(stages, microbatches):
    return [[f"F{m}" for m in range(microbatches)] + [f"B{m}" for m in range(microbatches)] for _ in range(stages)]


def one_f_one_b(stages, microbatches):
    first = min(stages, microbatches)
    actions = [f"F{m}" for m in range(first)]
    for m in range(first, microbatches):
        actions += [f"B{m - first}", f"F{m}"]
    actions += [f"B{m}" for m in range(microbatches - first, microbatches)]
    return [list(actions) for _ in range(stages)]
