# The initializer by its name: its sigma is 0.01 if nobody says otherwise. A tuple would not do: ctx must be a list.
def replicated_init(net, ctx):
    net.initialize('normal', [c for c in ctx], force_reinit=True)
    print('initialized on', ctx)
