# Parameter by parameter; default_init leaves biases and batch norm their own start values.
def replicated_init(net, ctx):
    normal = init.Normal(sigma=0.01)
    for parameter in net.collect_params().values():
        parameter.initialize(ctx=ctx, default_init=normal, force_reinit=True)
