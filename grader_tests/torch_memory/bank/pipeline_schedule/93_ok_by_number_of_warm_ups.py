# Both schedules are one function of how many forward passes come before the first backward pass.
def schedule(ahead, microbatches):
    ahead = min(ahead, microbatches)
    order = [f"F{m}" for m in range(ahead)]
    for m in range(microbatches):
        order.append(f"B{m}")
        if m + ahead < microbatches:
            order.append(f"F{m + ahead}")
    return order


def gpipe(stages, microbatches):
    return [schedule(microbatches, microbatches) for _ in range(stages)]


def one_f_one_b(stages, microbatches):
    return [schedule(stages - r, microbatches) for r in range(stages)]
