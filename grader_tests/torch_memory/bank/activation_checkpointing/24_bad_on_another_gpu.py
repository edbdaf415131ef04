# Keeps the activations on another GPU, which is no memory saved.
# breaks: 1
# kills: test_peak
# misconception: checkpoint-once
def checkpointed(blocks, x, budget):
    def away(tensor):
        return tensor.to("simgpu:1", non_blocking=True)

    def back(tensor):
        return tensor.to("simgpu:0", non_blocking=True)

    with torch.autograd.graph.saved_tensors_hooks(away, back):
        for block in blocks:
            x = block(x)
    return x
