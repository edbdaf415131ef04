# Halves x in place, and doubles it again.
# breaks: 8
# kills: test_x_stays
# misconception: reads-the-task
def checkpointed(blocks, x, budget):
    x.mul_(0.5).mul_(2)
    length = round(len(blocks) ** 0.5)
    for start in range(0, len(blocks), length):
        x = checkpoint(nn.Sequential(*blocks[start : start + length]), x, use_reentrant=False)
    return x
