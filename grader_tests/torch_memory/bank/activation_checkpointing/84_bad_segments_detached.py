# Only the last segment gets gradients: detach stands between the segments.
# breaks: 2
# kills: test_dropout, test_gradients
# misconception: detach-saves-memory
def checkpointed(blocks, x, budget):
    s = int(len(blocks) ** 0.5)
    for start in range(0, len(blocks), s):
        part = nn.Sequential(*blocks[start : start + s])
        x = checkpoint(part, x.detach(), use_reentrant=False)
    return x
