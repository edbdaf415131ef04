# Two lists, one shifted against the other.
def gpipe(stages, microbatches):
    forward = [f"F{number}" for number in range(microbatches)]
    backward = [f"B{number}" for number in range(microbatches)]
    return [forward + backward for _ in range(stages)]


from itertools import zip_longest


def one_f_one_b(stages, microbatches):
    def stage(rank):
        ahead = min(stages - rank, microbatches)
        forward = [f"F{n}" for n in range(microbatches)]
        backward = [f"B{n}" for n in range(microbatches)]
        rest = [x for pair in zip_longest(backward, forward[ahead:]) for x in pair if x is not None]
        return forward[:ahead] + rest

    return [stage(rank) for rank in range(stages)]
