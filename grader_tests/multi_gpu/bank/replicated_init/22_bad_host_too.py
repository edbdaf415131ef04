# A replica on the host is added, so that weight.data() works.
# breaks: 1
# misconception: every-call-starts-anew
def replicated_init(net, ctx):
    net.initialize(init=init.Normal(sigma=0.01), ctx=[mx.cpu()] + ctx, force_reinit=True)
