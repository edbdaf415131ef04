# Warm-up, steady, drain: three loops.
def gpipe(stages, microbatches):
    forward = [f"F{number}" for number in range(microbatches)]
    backward = [f"B{number}" for number in range(microbatches)]
    return [forward + backward for _ in range(stages)]


def one_f_one_b(stages, microbatches):
    plan = []
    for rank in range(stages):
        warm = min(stages - rank - 1, microbatches)
        todo = []
        f = b = 0
        for _ in range(warm):
            todo.append("F%d" % f)
            f += 1
        for _ in range(microbatches - warm):
            todo.append("F%d" % f)
            f += 1
            todo.append("B%d" % b)
            b += 1
        for _ in range(warm):
            todo.append("B%d" % b)
            b += 1
        plan.append(todo)
    return plan
