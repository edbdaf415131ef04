# Plain forward: everything is kept.
# breaks: the peak
# kills: test_peak
# misconception: checkpoint-once
def checkpointed(blocks, x, budget):
    for block in blocks:
        x = block(x)
    return x
