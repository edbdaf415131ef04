# PyTorch's own cut.
def checkpointed(blocks, x, budget):
    return checkpoint_sequential(blocks, round(len(blocks) ** 0.5), x, use_reentrant=False)
