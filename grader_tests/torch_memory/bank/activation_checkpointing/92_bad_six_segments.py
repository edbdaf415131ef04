# Six segments, however many blocks there are.
# breaks: 1
# kills: test_peak
# misconception: checkpoint-once
def checkpointed(blocks, x, budget):
    return checkpoint_sequential(blocks, 6, x, use_reentrant=False)
