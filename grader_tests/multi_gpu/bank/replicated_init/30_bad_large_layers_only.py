# Small weights keep Gluon's own distribution.
# breaks: 3
# kills: test_distribution
# misconception: reads-the-task
def replicated_init(net, ctx):
    class Mine(init.Normal):
        def _init_weight(self, name, arr):
            if arr.size < 1000:
                init.Uniform()._init_weight(name, arr)
            else:
                super()._init_weight(name, arr)

    net.initialize(init=Mine(0.01), ctx=ctx, force_reinit=True)
