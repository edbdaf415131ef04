# A stage keeps four micro-batches at the most: with more stages it waits.
# breaks: 3
# kills: test_bubbles, test_few_microbatches
# misconception: pipeline-bubble
def gpipe(stages, microbatches):
    return [[f"{k}{n}" for k in "FB" for n in range(microbatches)] for _ in range(stages)]


def one_f_one_b(stages, microbatches):
    plan = []
    for rank in range(stages):
        f = b = 0
        actions = []
        while b < microbatches:
            if f < microbatches and f - b < min(4, stages - rank):
                actions.append(f"F{f}")
                f += 1
            else:
                actions.append(f"B{b}")
                b += 1
        plan.append(actions)
    return plan
