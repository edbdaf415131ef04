# Waits for the device before each segment, to be sure that memory is free.
# breaks: 6
# kills: test_on_the_device
# misconception: checkpoint-once
def checkpointed(blocks, x, budget):
    s = int(len(blocks) ** 0.5)
    for start in range(0, len(blocks), s):
        gpu.synchronize()
        x = checkpoint(nn.Sequential(*blocks[start : start + s]), x, use_reentrant=False)
    return x
