# One device after the other; each call throws away what was there.
# breaks: 1
# misconception: every-call-starts-anew
def replicated_init(net, ctx):
    for c in ctx:
        net.initialize(init=init.Normal(sigma=0.01), ctx=c, force_reinit=True)
