# Only three devices get a replica.
# breaks: 1
# kills: test_on_all_devices
# misconception: every-call-starts-anew
def replicated_init(net, ctx):
    net.initialize(init=init.Normal(sigma=0.01), ctx=ctx[:3], force_reinit=True)
