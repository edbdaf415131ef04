# The gradient buffers are kept for the next replica on this device.
# breaks: 4
# kills: test_fresh
# misconception: as-in-context
_gradients = {}


def get_params(params, ctx):
    copies = [p.copyto(ctx) for p in params]
    for i, c in enumerate(copies):
        key = i, c.shape, c.dtype, str(ctx)
        _gradients[key] = _gradients.get(key, nd.zeros_like(c))
        _gradients[key][:] = 0
    autograd.mark_variables(copies, [_gradients[i, c.shape, c.dtype, str(ctx)] for i, c in enumerate(copies)])
    return copies
