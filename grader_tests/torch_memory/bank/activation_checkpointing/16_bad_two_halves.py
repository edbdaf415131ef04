# Two segments are too few.
# breaks: 1
# kills: test_peak
# misconception: checkpoint-once
def checkpointed(blocks, x, budget):
    return checkpoint_sequential(blocks, 2, x, use_reentrant=False)
