# GPipe goes backward with the last micro-batch first, as some do.
def gpipe(stages, microbatches):
    numbers = range(microbatches)
    return [[f"F{n}" for n in numbers] + [f"B{n}" for n in reversed(numbers)] for _ in range(stages)]


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
