# Drawn on the first device, then moved to all of them.
def replicated_init(net, ctx):
    net.initialize(init.Normal(sigma=0.01), ctx=ctx[0], force_reinit=True)
    net.collect_params().reset_ctx(ctx)
