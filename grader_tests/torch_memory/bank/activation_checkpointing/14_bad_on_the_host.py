# Keeps the activations in the host's memory.
# breaks: 5
# kills: test_on_the_device
# misconception: checkpoint-once
def checkpointed(blocks, x, budget):
    with torch.autograd.graph.save_on_cpu():
        for block in blocks:
            x = block(x)
    return x
