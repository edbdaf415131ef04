# The activations are squeezed into eight bits: it fits, and the gradients are others.
# breaks: 2
# kills: test_dropout, test_gradients, test_peak
# misconception: checkpoint-once
def checkpointed(blocks, x, budget):
    def pack(t):
        if t.shape != x.shape or t.dtype != torch.float32:
            return t
        scale = t.abs().max() / 127
        return (t / scale).round().to(torch.int8), scale

    def unpack(packed):
        return packed[0].float() * packed[1] if isinstance(packed, tuple) else packed

    y = x
    with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
        for block in blocks:
            y = block(y)
    return y
