# The last stage goes furthest ahead.
# breaks: 2
# kills: test_runs, test_bubbles, test_memory, test_few_microbatches
# misconception: pipeline-bubble
def gpipe(stages, microbatches):
    forward = [f"F{number}" for number in range(microbatches)]
    backward = [f"B{number}" for number in range(microbatches)]
    return [forward + backward for _ in range(stages)]


def one_f_one_b(stages, microbatches):
    schedule = []
    for rank in range(stages):
        ahead = min(rank + 1, microbatches)
        actions = [f"F{number}" for number in range(ahead)]
        for number in range(microbatches):
            actions.append(f"B{number}")
            if ahead + number < microbatches:
                actions.append(f"F{ahead + number}")
        schedule.append(actions)
    return schedule
