# An autograd function of its own for each segment.
class _Segment(torch.autograd.Function):
    """A segment that keeps its input alone, and computes itself again on the way back."""

    @staticmethod
    def forward(ctx, x, dummy, *blocks):
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
        return x.grad, None, *([None] * len(ctx.blocks))


def checkpointed(blocks, x, budget):
    dummy = torch.zeros((), device=x.device, requires_grad=True)
    size = max(1, int(len(blocks) ** 0.5))
    for begin in range(0, len(blocks), size):
        x = _Segment.apply(x, dummy, *blocks[begin : begin + size])
    return x
