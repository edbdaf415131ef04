# Checkpoints in a checkpoint: little is kept, and blocks are computed three times.
# breaks: 4
# kills: test_at_most_twice
# misconception: checkpoint-once
def checkpointed(blocks, x, budget):
    def run(part, x):
        for block in part:
            x = block(x)
        return x

    def half(part, x):
        middle = len(part) // 2
        x = checkpoint(run, part[:middle], x, use_reentrant=False)
        return checkpoint(run, part[middle:], x, use_reentrant=False)

    s = int(len(blocks) ** 0.5)
    for start in range(0, len(blocks), s):
        x = checkpoint(half, blocks[start : start + s], x, use_reentrant=False)
    return x
