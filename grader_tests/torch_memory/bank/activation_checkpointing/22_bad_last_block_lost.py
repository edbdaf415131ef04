# The rest that fills no whole segment is left out.
# breaks: 2, 3
# misconception: detach-saves-memory
# kills: test_dropout, test_gradients, test_output
def checkpointed(blocks, x, budget):
    length = round(len(blocks) ** 0.5)
    if len(blocks) % length == 0:
        length -= 1
    for start in range(0, len(blocks) - length, length):
        x = checkpoint(nn.Sequential(*blocks[start : start + length]), x, use_reentrant=False)
    return x
