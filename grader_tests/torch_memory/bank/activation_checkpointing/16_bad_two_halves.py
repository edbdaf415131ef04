# Two segments are too few.
# breaks: the peak
# kills: test_peak
# misconception: checkpoint-once
def checkpointed(blocks, x, budget):
    return checkpoint_sequential(blocks, 2, x, use_reentrant=False)
