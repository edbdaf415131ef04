# A block in evaluation mode is put into training mode.
# breaks: 3
# kills: test_dropout
# misconception: checkpoint-once
import math


def checkpointed(blocks, x, budget):
    length = max(1, math.isqrt(len(blocks)))
    for block in blocks:
        block.train()
    for start in range(0, len(blocks), length):
        x = checkpoint(nn.Sequential(*blocks[start : start + length]), x, use_reentrant=False)
    return x
