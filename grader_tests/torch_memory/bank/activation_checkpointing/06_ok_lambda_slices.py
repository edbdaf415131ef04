# A closure for each segment, no module.
from functools import reduce


def checkpointed(blocks, x, budget):
    length = round(len(blocks) ** 0.5)
    parts = [blocks[i : i + length] for i in range(0, len(blocks), length)]
    for part in parts:
        x = checkpoint(lambda h, part=part: reduce(lambda a, block: block(a), part, h), x, use_reentrant=False)
    return x
