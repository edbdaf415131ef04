# The reentrant kind, with an input that asks for no gradient: the first segment has none.
# breaks: the gradients
# kills: test_gradients
# misconception: detach-saves-memory
def checkpointed(blocks, x, budget):
    for start in range(0, len(blocks), 5):
        x = checkpoint(nn.Sequential(*blocks[start : start + 5]), x, use_reentrant=start == 0)
    return x
