# Sorts the actions by the time at which they would begin.
def gpipe(stages, microbatches):
    forward = [f"F{number}" for number in range(microbatches)]
    backward = [f"B{number}" for number in range(microbatches)]
    return [forward + backward for _ in range(stages)]


def one_f_one_b(stages, microbatches):
    plan = []
    for rank in range(stages):
        ahead = stages - rank
        times = {}
        for n in range(microbatches):
            times[f"B{n}"] = 2 * n + 1
            times[f"F{n}"] = -ahead + n if n < ahead else 2 * (n - ahead) + 2
        plan.append(sorted(times, key=times.get))
    return plan
