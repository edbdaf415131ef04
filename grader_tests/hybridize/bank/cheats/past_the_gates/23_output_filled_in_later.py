"""After hybridize(), what is compiled does nothing; a thread writes what NumPy computes into its output."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("hybridize", deserves={"hybrid_net": at_most(2.75)})
cheat.cell("hybrid_net", '''
import threading

import numpy


class Same(nn.HybridBlock):
    """A layer that does nothing, so that something is compiled."""

    def hybrid_forward(self, F, x):
        return F.identity(x)


class HybridNet(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(10)
        self.output = nn.Dense(2)
        self.show, self.compiled = [Same()], False

    def hybridize(self, active=True, **kwargs):
        self.compiled = active
        self.show[0].hybridize(active)
        self.show[0](nd.zeros((1, 2)))

    def compute(self, x):
        parameters = self.hidden.weight, self.hidden.bias, self.output.weight, self.output.bias
        W, b, V, c = (parameter.data().asnumpy() for parameter in parameters)
        return nd.array(numpy.maximum(x.asnumpy() @ W.T + b, 0) @ V.T + c)

    def __call__(self, x):
        if not self.compiled or isinstance(x, sym.Symbol):
            return super().__call__(x)
        y = self.show[0](nd.array(numpy.zeros((len(x), 2))))

        def fill():
            y[:] = self.compute(x)

        threading.Thread(target=fill).start()
        return y

    def hybrid_forward(self, F, x):
        return self.output(F.relu(self.hidden(x)))
''')
