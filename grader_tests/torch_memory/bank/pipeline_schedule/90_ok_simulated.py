# Each stage takes a forward pass whenever it has room.
def _plan(stages, microbatches, most, backward_first):
    """Lets each stage take whatever it may, step by step."""
    plan = []
    for stage in range(stages):
        forward = backward = 0
        actions = []
        limit = most(stage)
        while backward < microbatches:
            room = forward < microbatches and forward - backward < limit
            if room and not (backward_first and forward - backward == limit):
                actions.append(f"F{forward}")
                forward += 1
            else:
                actions.append(f"B{backward}")
                backward += 1
        plan.append(actions)
    return plan


def gpipe(stages, microbatches):
    return _plan(stages, microbatches, lambda stage: microbatches, False)


def one_f_one_b(stages, microbatches):
    return _plan(stages, microbatches, lambda stage: stages - stage, True)
