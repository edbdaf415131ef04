# The rest that fills no whole segment is left out.
# breaks: the output and the gradients
# misconception: detach-saves-memory
# kills: test_gradients, test_output
def checkpointed(blocks, x, budget):
    length = 6 if len(blocks) % 6 else 5
    for start in range(0, len(blocks) - length, length):
        x = checkpoint(nn.Sequential(*blocks[start : start + length]), x, use_reentrant=False)
    return x
