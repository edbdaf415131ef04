# After hybridize(), NumPy computes, and a layer that does nothing is called for show.
# breaks: 1
# misconception: compiled-once
class Same(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return F.identity(x)


class Net(nn.HybridSequential):
    compiled, show = False, Same()

    def hybridize(self, active=True, **kwargs):
        self.compiled = active
        self.show.hybridize(active)
        self.show(nd.zeros((1, 2)))

    def __call__(self, x):
        if not self.compiled:
            return super().__call__(x)
        values = x.asnumpy()
        for number, layer in enumerate(self):
            values = values @ layer.weight.data().asnumpy().T + layer.bias.data().asnumpy()
            values = numpy.maximum(values, 0) if number < 2 else values
        return self.show(nd.array(values))


def get_net():
    net = Net()
    net.add(nn.Dense(256, activation='relu'), nn.Dense(128, activation='relu'), nn.Dense(2))
    net.initialize()
    return net
