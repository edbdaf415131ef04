# The normal distribution is cut off at three times sigma.
# breaks: 3
# kills: test_distribution
# misconception: reads-the-task
class Clipped(mx.init.Initializer):
    def _init_weight(self, name, arr):
        arr[:] = nd.random.normal(0, 0.01, shape=arr.shape).clip(-0.03, 0.03)


def replicated_init(net, ctx):
    net.initialize(Clipped(), ctx=ctx, force_reinit=True)
