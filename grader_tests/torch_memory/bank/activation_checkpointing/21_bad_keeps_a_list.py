# A list of all outputs, for debugging, that the caller's result holds on to.
# breaks: 1
# kills: test_peak
# misconception: checkpoint-once
seen = []


def checkpointed(blocks, x, budget):
    seen.clear()

    def run(part, x):
        for block in part:
            x = block(x)
            seen.append(x.detach())
        return x

    length = round(len(blocks) ** 0.5)
    for start in range(0, len(blocks), length):
        x = checkpoint(run, blocks[start : start + length], x, use_reentrant=False)
    return x
