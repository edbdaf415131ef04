# The stages go backward in different orders.
# breaks: 3
# kills: test_bubbles, test_few_microbatches
# misconception: pipeline-bubble
def gpipe(stages, microbatches):
    numbers = list(range(microbatches))
    schedule = []
    for rank in range(stages):
        order = numbers if rank % 2 else numbers[::-1]
        schedule.append([f"F{n}" for n in numbers] + [f"B{n}" for n in order])
    return schedule


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
