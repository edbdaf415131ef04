# Segments of two blocks.
# breaks: 1
# kills: test_peak
# misconception: checkpoint-once
def checkpointed(blocks, x, budget):
    return checkpoint_sequential(blocks, len(blocks) // 2, x, use_reentrant=False)
