# As in the book, with force_reinit.
def replicated_init(net, ctx):
    net.initialize(init=init.Normal(sigma=0.01), ctx=ctx, force_reinit=True)
