# Segments of two blocks, however many blocks there are: half of the activations stay.
# breaks: 1
# kills: test_peak
# misconception: checkpoint-once
def checkpointed(blocks, x, budget):
    pairs = [nn.Sequential(*blocks[i : i + 2]) for i in range(0, len(blocks), 2)]
    for pair in pairs:
        x = checkpoint(pair, x, use_reentrant=False)
    return x
