# Cuts the graph between the segments.
# breaks: 2
# kills: test_dropout, test_gradients
# misconception: detach-saves-memory
def checkpointed(blocks, x, budget):
    for number, block in enumerate(blocks):
        x = block(x)
        if number % 5 == 4 and number < len(blocks) - 1:
            x = x.detach()
    return x
