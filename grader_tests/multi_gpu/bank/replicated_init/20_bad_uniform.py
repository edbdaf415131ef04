# A uniform distribution from -0.01 to 0.01.
# breaks: 3
# misconception: reads-the-task
def replicated_init(net, ctx):
    net.initialize(init=init.Uniform(scale=0.01), ctx=ctx, force_reinit=True)
