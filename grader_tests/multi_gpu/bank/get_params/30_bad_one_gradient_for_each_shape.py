# Copies of the same shape share one gradient buffer.
# breaks: 4
# misconception: every-call-starts-anew
def get_params(params, ctx):
    copies = [p.copyto(ctx) for p in params]
    buffers = {}
    for c in copies:
        if c.shape not in buffers:
            buffers[c.shape] = nd.zeros_like(c)
    autograd.mark_variables(copies, [buffers[c.shape] for c in copies])
    return copies
