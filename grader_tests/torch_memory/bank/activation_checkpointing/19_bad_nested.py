# A checkpoint for each block inside the segments: blocks are computed three times.
# breaks: 4
# kills: test_at_most_twice
# misconception: checkpoint-once
def checkpointed(blocks, x, budget):
    def run(part, x):
        for block in part:
            x = checkpoint(block, x, use_reentrant=False)
        return x

    length = round(len(blocks) ** 0.5)
    for start in range(0, len(blocks), length):
        x = checkpoint(run, blocks[start : start + length], x, use_reentrant=False)
    return x
