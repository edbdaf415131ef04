# The same call on the parameters; warns nobody, returns the network.
def replicated_init(net, ctx):
    net.collect_params().initialize(init.Normal(0.01), ctx=list(ctx), force_reinit=True)
    return net
