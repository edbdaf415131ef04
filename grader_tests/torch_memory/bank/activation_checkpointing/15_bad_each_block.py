# Every block is a segment of its own: all their inputs are kept.
# breaks: 1
# kills: test_peak
# misconception: checkpoint-once
def checkpointed(blocks, x, budget):
    for block in blocks:
        x = checkpoint(block, x, use_reentrant=False)
    return x
