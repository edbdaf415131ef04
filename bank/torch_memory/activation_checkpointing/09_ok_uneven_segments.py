# Segments that get shorter.
def checkpointed(blocks, x, budget):
    left, length = list(blocks), 7
    while left:
        part, left = left[:length], left[length:]
        x = checkpoint(nn.Sequential(*part), x, use_reentrant=False)
        length = max(3, length - 1)
    return x
