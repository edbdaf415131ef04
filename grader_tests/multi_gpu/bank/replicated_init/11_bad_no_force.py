# The second call is ignored, with a warning.
# breaks: 5
# misconception: every-call-starts-anew
def replicated_init(net, ctx):
    net.initialize(init=init.Normal(sigma=0.01), ctx=ctx)
