# The state of the random numbers need not be kept: nothing here draws any.
def checkpointed(blocks, x, budget):
    for start in range(0, len(blocks), 5):
        x = checkpoint(nn.Sequential(*blocks[start : start + 5]), x, use_reentrant=False, preserve_rng_state=False)
    return x
