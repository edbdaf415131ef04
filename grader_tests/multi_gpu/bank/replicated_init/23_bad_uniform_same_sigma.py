# A uniform distribution whose standard deviation is right.
# breaks: 3
# misconception: reads-the-task
def replicated_init(net, ctx):
    net.initialize(init=init.Uniform(scale=0.01 * 3 ** 0.5), ctx=ctx, force_reinit=True)
