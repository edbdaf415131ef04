# Plain forward: everything is kept.
# breaks: 1
# kills: test_peak
# misconception: checkpoint-once
def checkpointed(blocks, x, budget):
    for block in blocks:
        x = block(x)
    return x
