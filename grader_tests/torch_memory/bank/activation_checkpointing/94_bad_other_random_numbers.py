# The second pass of a segment draws other random numbers than the first one.
# breaks: 10
# kills: test_dropout
# misconception: checkpoint-once
def checkpointed(blocks, x, budget):
    length = round(len(blocks) ** 0.5)
    for start in range(0, len(blocks), length):
        part = nn.Sequential(*blocks[start : start + length])
        x = checkpoint(part, x, use_reentrant=False, preserve_rng_state=False)
    return x
