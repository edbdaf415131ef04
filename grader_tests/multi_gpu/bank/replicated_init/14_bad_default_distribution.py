# Gluon's default: a uniform distribution.
# breaks: 3
# misconception: reads-the-task
def replicated_init(net, ctx):
    net.initialize(ctx=ctx, force_reinit=True)
