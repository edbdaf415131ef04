# Micro-batches counted from 1.
# breaks: 1
# kills: test_runs, test_bubbles, test_gpipe_order, test_few_microbatches, test_one_stage
# misconception: pipeline-bubble
def gpipe(stages, microbatches):
    forward = [f"F{number}" for number in range(1, microbatches + 1)]
    backward = [f"B{number}" for number in range(1, microbatches + 1)]
    return [forward + backward for _ in range(stages)]


def one_f_one_b(stages, microbatches):
    schedule = []
    for rank in range(stages):
        ahead = min(stages - rank, microbatches)
        actions = [f"F{number}" for number in range(ahead)]
        for number in range(microbatches):
            actions.append(f"B{number}")
            if ahead + number < microbatches:
                actions.append(f"F{ahead + number}")
        schedule.append(actions)
    return schedule
