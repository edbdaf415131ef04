# Prints a norm in each segment.
# breaks: the host waits for nothing
# kills: test_on_the_device
# misconception: checkpoint-once
def checkpointed(blocks, x, budget):
    for start in range(0, len(blocks), 5):
        x = checkpoint(nn.Sequential(*blocks[start : start + 5]), x, use_reentrant=False)
        print(start, x.norm().item())
    return x
