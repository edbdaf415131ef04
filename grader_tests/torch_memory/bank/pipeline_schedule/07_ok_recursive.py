# From the last stage to the first: each one goes one further ahead.
def gpipe(stages, microbatches):
    forward = [f"F{number}" for number in range(microbatches)]
    backward = [f"B{number}" for number in range(microbatches)]
    return [forward + backward for _ in range(stages)]


def one_f_one_b(stages, microbatches):
    if stages == 0:
        return []
    ahead = min(stages, microbatches)
    first = [f"F{i}" for i in range(ahead)]
    for i in range(microbatches):
        first += [f"B{i}"] + ([f"F{i + ahead}"] if i + ahead < microbatches else [])
    return [first] + one_f_one_b(stages - 1, microbatches)
