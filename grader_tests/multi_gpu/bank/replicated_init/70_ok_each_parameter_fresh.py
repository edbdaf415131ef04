# Starts each parameter again, with the normal distribution as default.
def replicated_init(net, ctx):
    for parameter in net.collect_params().values():
        parameter.initialize(ctx=ctx, default_init=init.Normal(1e-2), force_reinit=True)
