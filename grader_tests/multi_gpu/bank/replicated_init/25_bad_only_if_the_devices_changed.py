# Starts again only if the network is on other devices.
# breaks: 5
# misconception: reads-the-task
def replicated_init(net, ctx):
    try:
        here = all(p.list_ctx() == list(ctx) for p in net.collect_params().values())
    except RuntimeError:
        here = False
    if not here:
        net.initialize(init=init.Normal(sigma=0.01), ctx=ctx, force_reinit=True)
