# The reentrant kind, with an input that asks for no gradient: the first segment has none.
# breaks: 2
# kills: test_dropout, test_gradients
# misconception: detach-saves-memory
def checkpointed(blocks, x, budget):
    length = round(len(blocks) ** 0.5)
    for start in range(0, len(blocks), length):
        x = checkpoint(nn.Sequential(*blocks[start : start + length]), x, use_reentrant=start == 0)
    return x
