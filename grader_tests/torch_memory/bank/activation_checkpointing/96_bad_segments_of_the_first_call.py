# The segments of the first call are used for every list of the same length.
# breaks: 2
# kills: test_dropout
# misconception: checkpoint-once
SEGMENTS = {}


def checkpointed(blocks, x, budget):
    length = round(len(blocks) ** 0.5)
    if len(blocks) not in SEGMENTS:
        SEGMENTS[len(blocks)] = [nn.Sequential(*blocks[n : n + length]) for n in range(0, len(blocks), length)]
    for part in SEGMENTS[len(blocks)]:
        x = checkpoint(part, x, use_reentrant=False)
    return x
