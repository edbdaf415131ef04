# Given as init of each parameter, the initializer also draws biases and batch norm.
# breaks: 4
# misconception: reads-the-task
def replicated_init(net, ctx):
    for parameter in net.collect_params().values():
        parameter.initialize(init=init.Normal(sigma=0.01), ctx=ctx, force_reinit=True)
