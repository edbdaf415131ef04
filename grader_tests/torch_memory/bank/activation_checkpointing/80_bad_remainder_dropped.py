# Blocks that do not fill a segment are never computed; 36 blocks hide it.
# breaks: 2
# kills: test_dropout, test_gradients, test_output
# misconception: detach-saves-memory
def checkpointed(blocks, x, budget):
    s = int(len(blocks) ** 0.5)
    for number in range(len(blocks) // s):
        x = checkpoint(nn.Sequential(*blocks[number * s : (number + 1) * s]), x, use_reentrant=False)
    return x
