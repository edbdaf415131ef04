# The reference: segments of about the root.
def checkpointed(blocks, x, budget):
    length = round(len(blocks) ** 0.5)
    for start in range(0, len(blocks), length):
        x = checkpoint(nn.Sequential(*blocks[start : start + length]), x, use_reentrant=False)
    return x
