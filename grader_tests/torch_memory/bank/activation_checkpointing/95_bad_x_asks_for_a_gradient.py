# Has the caller's x ask for a gradient, as the reentrant kind needs it.
# breaks: 8
# kills: test_x_stays
# misconception: reads-the-task
def checkpointed(blocks, x, budget):
    x.requires_grad_()
    s = round(len(blocks) ** 0.5)
    h = x
    for start in range(0, len(blocks), s):
        h = checkpoint(nn.Sequential(*blocks[start:start + s]), h, use_reentrant=True)
    return h
