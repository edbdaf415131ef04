# A network that has replicas on other devices only is moved, with its weights.
# breaks: 5
# kills: test_other_parameters, test_starts_anew
# misconception: every-call-starts-anew
def replicated_init(net, ctx):
    try:
        params = list(net.collect_params().values())
        old = params[0].list_ctx()
    except RuntimeError:
        old = None
    if old and set(old).isdisjoint(ctx):
        net.collect_params().reset_ctx(ctx)
    else:
        net.initialize(init=init.Normal(0.01), ctx=ctx, force_reinit=True)
