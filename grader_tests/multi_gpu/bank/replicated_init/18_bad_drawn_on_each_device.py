# Every device draws weights of its own.
# breaks: 2
# misconception: replicas-stay-equal
def replicated_init(net, ctx):
    net.initialize(init=init.Normal(sigma=0.01), ctx=ctx, force_reinit=True)
    for parameter in net.collect_params('.*weight').values():
        if parameter.shape and all(size > 0 for size in parameter.shape):
            for weight in parameter.list_data():
                weight[:] = nd.random.normal(0, 0.01, shape=weight.shape, ctx=weight.context)
