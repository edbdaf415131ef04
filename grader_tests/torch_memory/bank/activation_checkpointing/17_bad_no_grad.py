# Without gradients nothing is kept, and nothing can go backward.
# breaks: 2
# kills: test_dropout, test_gradients
# misconception: detach-saves-memory
def checkpointed(blocks, x, budget):
    with torch.no_grad():
        for block in blocks[:-1]:
            x = block(x)
    return blocks[-1](x)
