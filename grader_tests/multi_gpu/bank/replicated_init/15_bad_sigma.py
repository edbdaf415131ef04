# Ten times too large.
# breaks: 3
# misconception: reads-the-task
def replicated_init(net, ctx):
    net.initialize(init=init.Normal(sigma=0.1), ctx=ctx, force_reinit=True)
