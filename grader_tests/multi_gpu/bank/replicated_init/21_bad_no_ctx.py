# ctx is forgotten: everything is on the host.
# breaks: 1
# misconception: every-call-starts-anew
def replicated_init(net, ctx):
    net.initialize(init=init.Normal(sigma=0.01), force_reinit=True)
