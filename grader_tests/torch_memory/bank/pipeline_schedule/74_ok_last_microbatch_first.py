# The micro-batches are taken from the last to the first.
def gpipe(stages, microbatches):
    order = list(range(microbatches))[::-1]
    return [["F%d" % n for n in order] + ["B%d" % n for n in order]] * stages


def one_f_one_b(stages, microbatches):
    order = list(range(microbatches))[::-1]

    def stage(r):
        warm = min(stages - r - 1, microbatches)
        actions = [f"F{n}" for n in order[:warm]]
        for here, there in zip(order[warm:], order):
            actions += [f"F{here}", f"B{there}"]
        return actions + [f"B{n}" for n in order[microbatches - warm :]]

    return [stage(r) for r in range(stages)]
