# Older gradients are thrown away, to which backward should add.
# breaks: 2
# kills: test_dropout
# misconception: checkpoint-once
import math


def checkpointed(blocks, x, budget):
    length = max(1, math.isqrt(len(blocks)))
    for block in blocks:
        for p in block.parameters():
            p.grad = None
    for start in range(0, len(blocks), length):
        x = checkpoint(nn.Sequential(*blocks[start : start + length]), x, use_reentrant=False)
    return x
