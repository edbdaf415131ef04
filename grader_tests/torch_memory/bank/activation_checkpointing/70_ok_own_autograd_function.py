# An autograd function of one's own that runs a segment again on the way back.
class Segment(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, switch, blocks):
        ctx.blocks = blocks
        ctx.save_for_backward(x)
        ctx.random = gpu.get_rng_state()
        for block in blocks:
            x = block(x)
        return x

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        x = x.detach().requires_grad_()
        now = gpu.get_rng_state()
        gpu.set_rng_state(ctx.random)  # dropout draws the same numbers again
        with torch.enable_grad():
            y = x
            for block in ctx.blocks:
                y = block(y)
        gpu.set_rng_state(now)
        torch.autograd.backward(y, gradient)
        return x.grad, None, None


def checkpointed(blocks, x, budget):
    length = max(1, round(len(blocks) ** 0.5))
    switch = torch.zeros((), requires_grad=True)  # so that the output asks for a gradient though x does not
    for start in range(0, len(blocks), length):
        x = Segment.apply(x, switch, blocks[start : start + length])
    return x
