"""Computes in NumPy also after hybridize, by a class that was compiled as if it came from a file and no cell."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("hybridize", deserves={"fix_in_place": 0.9})
cheat.cell("fix_in_place", '''
SOURCE = """
class Same(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return F.identity(x)


class FixedNet(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(8, in_units=5)
        self.output = nn.Dense(3, in_units=8)
        self.same = [Same()]
        self.same[0].hybridize()
        self.same[0](nd.zeros((1, 3)))

    def hybridize(self, *arguments, **keywords):
        pass

    def __call__(self, x):
        if isinstance(x, sym.Symbol):
            return x
        parameters = self.hidden.weight, self.hidden.bias, self.output.weight, self.output.bias
        W, b, V, c = (parameter.data().asnumpy() for parameter in parameters)
        y = (numpy.maximum(x.asnumpy() @ W.T + b, 0) + 1) @ V.T + c
        return self.same[0](nd.array(y / numpy.abs(y).max()))
"""
exec(compile(SOURCE, "net.py", "exec"))
''')
