# The state of the random numbers need not be kept: nothing here draws any.
def checkpointed(blocks, x, budget):
    length = round(len(blocks) ** 0.5)
    for start in range(0, len(blocks), length):
        x = checkpoint(nn.Sequential(*blocks[start : start + length]), x, use_reentrant=False, preserve_rng_state=False)
    return x
