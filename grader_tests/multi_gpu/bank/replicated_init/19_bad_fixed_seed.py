# The seed is set to the same number in each call.
# breaks: 5
# misconception: every-call-starts-anew
def replicated_init(net, ctx):
    mx.random.seed(42)
    net.initialize(init=init.Normal(sigma=0.01), ctx=ctx, force_reinit=True)
