# The older kind, with an input that asks for a gradient.
def checkpointed(blocks, x, budget):
    x = x.detach().requires_grad_()
    for start in range(0, len(blocks), 5):
        x = checkpoint(nn.Sequential(*blocks[start : start + 5]), x, use_reentrant=True)
    return x
