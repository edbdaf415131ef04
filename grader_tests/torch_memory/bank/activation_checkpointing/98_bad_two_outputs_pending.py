# The segments of the last call are kept, also for an output of an earlier call that has not gone backward yet.
# breaks: 2
# kills: test_dropout
# misconception: checkpoint-once
import math

_segments = {}


def checkpointed(blocks, x, budget):
    length = max(1, math.isqrt(len(blocks)))
    _segments.clear()
    _segments.update(enumerate(blocks[start : start + length] for start in range(0, len(blocks), length)))

    def run(number, value):
        for block in _segments[number]:
            value = block(value)
        return value

    for number in list(_segments):
        x = checkpoint(run, number, x, use_reentrant=False)
    return x
