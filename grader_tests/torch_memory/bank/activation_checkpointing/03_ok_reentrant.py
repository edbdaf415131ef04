# The older kind, with an input that asks for a gradient.
def checkpointed(blocks, x, budget):
    x = x.detach().requires_grad_()
    length = round(len(blocks) ** 0.5)
    for start in range(0, len(blocks), length):
        x = checkpoint(nn.Sequential(*blocks[start : start + length]), x, use_reentrant=True)
    return x
