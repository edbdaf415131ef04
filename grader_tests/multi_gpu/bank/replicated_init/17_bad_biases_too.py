# Given as init of each parameter, the initializer draws biases and batch norm, too.
# breaks: 4
# misconception: reads-the-task
def replicated_init(net, ctx):
    for parameter in net.collect_params().values():
        parameter.initialize(init=init.Normal(sigma=0.01), ctx=ctx, force_reinit=True)
