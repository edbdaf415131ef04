# Returns the output with an offset, which no gradient shows.
# breaks: 3
# kills: test_dropout, test_output
# misconception: reads-the-task
def checkpointed(blocks, x, budget):
    length = round(len(blocks) ** 0.5)
    for start in range(0, len(blocks), length):
        x = checkpoint(nn.Sequential(*blocks[start : start + length]), x, use_reentrant=False)
    return x + 1
