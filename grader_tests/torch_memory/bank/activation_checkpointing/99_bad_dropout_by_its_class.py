# The random numbers are kept only for modules of the class nn.Dropout.
# breaks: 10
# kills: test_dropout
# misconception: checkpoint-once
import math


def checkpointed(blocks, x, budget):
    length = max(1, math.isqrt(len(blocks)))
    for start in range(0, len(blocks), length):
        x = checkpoint(nn.Sequential(*blocks[start : start + length]), x, use_reentrant=False, preserve_rng_state=any(isinstance(m, nn.Dropout) for b in blocks for m in b.modules()))
    return x
