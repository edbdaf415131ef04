# Writes the stage before the action, as PyTorch's own tables do.
# breaks: 1
# kills: test_runs, test_bubbles, test_gpipe_order, test_few_microbatches, test_one_stage
# misconception: pipeline-bubble
def gpipe(stages, microbatches):
    return [[f"{rank}{kind}{n}" for kind in "FB" for n in range(microbatches)] for rank in range(stages)]


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
