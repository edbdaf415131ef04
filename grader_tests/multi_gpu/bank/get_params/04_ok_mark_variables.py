# Buffers are made on the device and filled; the gradients are marked all at once.
def get_params(params, ctx):
    copies = [nd.zeros(p.shape, ctx=ctx, dtype=p.dtype) for p in params]
    for copy, p in zip(copies, params):
        copy[:] = p
    gradients = [nd.zeros_like(copy) for copy in copies]
    autograd.mark_variables(copies, gradients)
    return copies
