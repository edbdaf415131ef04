# A closure for each segment, no module.
from functools import reduce


def checkpointed(blocks, x, budget):
    parts = [blocks[i : i + 4] for i in range(0, len(blocks), 4)]
    for part in parts:
        x = checkpoint(lambda h, part=part: reduce(lambda a, block: block(a), part, h), x, use_reentrant=False)
    return x
