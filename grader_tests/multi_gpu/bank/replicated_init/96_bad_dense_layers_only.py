# Convolutions get the usual start values.
# breaks: 3
# misconception: reads-the-task
def replicated_init(net, ctx):
    net.initialize(ctx=ctx, force_reinit=True)
    net.collect_params(".*dense.*weight").initialize(init.Normal(0.01), ctx=ctx, force_reinit=True)
