# Only the first device.
# breaks: 1
# misconception: every-call-starts-anew
def replicated_init(net, ctx):
    net.initialize(init=init.Normal(sigma=0.01), ctx=ctx[0], force_reinit=True)
