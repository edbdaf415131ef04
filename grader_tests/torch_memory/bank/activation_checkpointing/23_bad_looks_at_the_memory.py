# Prints a norm in each segment.
# breaks: 6
# kills: test_on_the_device
# misconception: checkpoint-once
def checkpointed(blocks, x, budget):
    length = round(len(blocks) ** 0.5)
    for start in range(0, len(blocks), length):
        x = checkpoint(nn.Sequential(*blocks[start : start + length]), x, use_reentrant=False)
        print(start, x.norm().item())
    return x
