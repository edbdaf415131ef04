# One segment around all: on the way back all activations are there again.
# breaks: 1
# kills: test_peak
# misconception: checkpoint-once
def checkpointed(blocks, x, budget):
    return checkpoint(nn.Sequential(*blocks), x, use_reentrant=False)
