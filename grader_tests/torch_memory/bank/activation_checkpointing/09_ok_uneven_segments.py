# Segments that get shorter.
def checkpointed(blocks, x, budget):
    root = round(len(blocks) ** 0.5)
    left, length = list(blocks), root + root // 4
    while left:
        part, left = left[:length], left[length:]
        x = checkpoint(nn.Sequential(*part), x, use_reentrant=False)
        length = max(root // 2, length - 1)
    return x
