# Takes the blocks out of the list that it was given.
# breaks: 9
# kills: test_list_stays
# misconception: reads-the-task
import math


def checkpointed(blocks, x, budget):
    size = math.isqrt(len(blocks))
    while blocks:
        part = nn.Sequential(*blocks[:size])
        del blocks[:size]
        x = checkpoint(part, x, use_reentrant=False)
    return x
