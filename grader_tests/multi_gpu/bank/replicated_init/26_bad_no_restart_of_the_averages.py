# The averages of batch norm are left as they are when the devices stay.
# breaks: 4
# misconception: reads-the-task
def replicated_init(net, ctx):
    for name, parameter in net.collect_params().items():
        if 'running' in name:
            try:
                parameter.reset_ctx(ctx)
                continue
            except ValueError:
                pass
        parameter.initialize(ctx=ctx, default_init=init.Normal(sigma=0.01), force_reinit=True)
