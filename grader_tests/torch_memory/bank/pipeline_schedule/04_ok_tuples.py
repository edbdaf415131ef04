# Tuples and a generator.
def gpipe(stages, microbatches):
    one = tuple(kind + str(n) for kind in "FB" for n in range(microbatches))
    return (one,) * stages


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
