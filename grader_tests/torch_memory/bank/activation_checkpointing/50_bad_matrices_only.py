# Takes x for a matrix.
# breaks: 7
# kills: test_any_axes
# misconception: reads-the-task
def checkpointed(blocks, x, budget):
    rows, columns = x.shape
    gradients = sum(p.nbytes for block in blocks for p in block.parameters())
    room = (budget - gradients) // (rows * columns * x.element_size())
    length = max(1, min(round(len(blocks) ** 0.5), room))
    for start in range(0, len(blocks), length):
        x = checkpoint(nn.Sequential(*blocks[start : start + length]), x, use_reentrant=False)
    return x
