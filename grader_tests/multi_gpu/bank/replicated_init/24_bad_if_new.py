# A network that has parameters already is only moved to the devices, with its old weights.
# breaks: 5
# misconception: every-call-starts-anew
def replicated_init(net, ctx):
    try:
        net.collect_params().reset_ctx(ctx)
    except ValueError:
        net.initialize(init=init.Normal(sigma=0.01), ctx=ctx)
