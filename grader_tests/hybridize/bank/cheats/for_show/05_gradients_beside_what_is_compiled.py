"""After hybridize(), each output is a gradient that a backward pass computes; what is compiled does nothing."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("hybridize", deserves={"fix_in_place": at_most(1.49)})
cheat.cell("fix_in_place", '''
from mxnet import autograd


class Same(nn.HybridBlock):
    """A layer that does nothing, so that something is compiled."""

    def hybrid_forward(self, F, x):
        return F.identity(x)


class FixedNet(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(8)
        self.output = nn.Dense(3)
        self.show, self.compiled = [Same()], False

    def hybridize(self, active=True, **kwargs):
        self.compiled = active
        self.show[0].hybridize(active)
        self.show[0](nd.zeros((1, 3)))

    def __call__(self, x):
        if not self.compiled or isinstance(x, sym.Symbol):
            return super().__call__(x)
        weight = nd.ones((len(x), 3))
        weight.attach_grad()
        made = super().__call__(x)
        with autograd.record():
            product = weight * made
        product.backward()
        return self.show[0](weight.grad)

    def hybrid_forward(self, F, x):
        y = self.output(F.relu(self.hidden(x)) + 1)
        return F.broadcast_div(y, F.max(F.abs(y)).reshape((1, 1)))
''')
