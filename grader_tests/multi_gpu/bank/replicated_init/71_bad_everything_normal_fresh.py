# Draws everything from the normal distribution, including biases and batch norm.
# breaks: 4
# kills: test_other_parameters
# misconception: reads-the-task
def replicated_init(net, ctx):
    for parameter in net.collect_params().values():
        parameter.init = init.Normal(0.01)
    net.initialize(init=init.Normal(0.01), ctx=ctx, force_reinit=True)
