# 0.01 is taken for the variance, so sigma is its root.
# breaks: 3
# misconception: reads-the-task
def replicated_init(net, ctx):
    net.initialize(init=init.Normal(sigma=0.01 ** 0.5), ctx=ctx, force_reinit=True)
