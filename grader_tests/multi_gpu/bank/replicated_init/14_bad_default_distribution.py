# Gluon's default: a uniform distribution.
# breaks: weights from a normal distribution, sigma 0.01
# misconception: reads-the-task
def replicated_init(net, ctx):
    net.initialize(ctx=ctx, force_reinit=True)
