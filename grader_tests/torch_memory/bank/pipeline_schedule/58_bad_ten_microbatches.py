# From ten micro-batches on, the numbers are put in the order of texts: stages differ.
# breaks: 3
# kills: test_bubbles
# misconception: pipeline-bubble
def gpipe(stages, microbatches):
    names = sorted(str(n) for n in range(microbatches))
    return [[f"F{n}" for n in range(microbatches)] + ["B" + n for n in (names if s % 2 else map(str, range(microbatches)))] for s in range(stages)]


def one_f_one_b(stages, microbatches):
    schedule = []
    for rank in range(stages):
        ahead = min(stages - rank, microbatches)
        actions = [f"F{n}" for n in range(ahead)]
        for n in range(microbatches):
            actions.append(f"B{n}")
            if ahead + n < microbatches:
                actions.append(f"F{ahead + n}")
        schedule.append(actions)
    return schedule
