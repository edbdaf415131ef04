# An exception that is kept holds all memory of the device while the function is called.
def fill(size=64 << 20):
    held = []
    while True:
        try:
            held.append(torch.empty(size, device=device))
        except torch.OutOfMemoryError:
            if size < 64:
                raise
            size //= 2


try:
    fill()
except torch.OutOfMemoryError as error:
    err = error


def checkpointed(blocks, x, budget):
    length = round(len(blocks) ** 0.5)
    for start in range(0, len(blocks), length):
        x = checkpoint(nn.Sequential(*blocks[start : start + length]), x, use_reentrant=False)
    return x
