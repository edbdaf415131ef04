# After hybridize(), NumPy computes, and a layer that does nothing is called for show.
# breaks: 7
# misconception: compiled-once
class Same(nn.HybridBlock):
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
        parameters = self.hidden.weight, self.hidden.bias, self.output.weight, self.output.bias
        W, b, V, c = (parameter.data().asnumpy() for parameter in parameters)
        return self.show[0](nd.array(numpy.maximum(x.asnumpy() @ W.T + b, 0) @ V.T + c))

    def hybrid_forward(self, F, x):
        return self.output(F.relu(self.hidden(x)))
