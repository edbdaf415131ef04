"""After hybridize(), an executor computes in each call; what is compiled does nothing."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("hybridize", deserves={"hybrid_net": at_most(1.49)})
cheat.cell("hybrid_net", '''
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

    def __call__(self, x):
        if not self.compiled or isinstance(x, sym.Symbol):
            return super().__call__(x)
        program = super().__call__(sym.var("data"))
        values = {name: parameter.data() for name, parameter in self.collect_params().items()}
        made = program.bind(x.context, {"data": x, **values}).forward()[0]
        return self.show[0](made)

    def hybrid_forward(self, F, x):
        return self.output(F.relu(self.hidden(x)))
''')
