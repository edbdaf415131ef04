# Checkpoints the first half and keeps the whole second one.
# breaks: 1
# kills: test_peak
# misconception: checkpoint-once
def checkpointed(blocks, x, budget):
    half = len(blocks) // 2
    x = checkpoint_sequential(blocks[:half], 3, x, use_reentrant=False)
    for block in blocks[half:]:
        x = block(x)
    return x
