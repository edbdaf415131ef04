# hybrid_forward stops before the division; __call__ does that with numpy, for arrays.
# breaks: 3
# kills: test_no_python_on_the_second_call
# misconception: compiled-once
class FixedNet(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(8)
        self.output = nn.Dense(3)

    def __call__(self, x):
        y = super().__call__(x)
        if not isinstance(y, nd.NDArray):
            return y
        return y / float(numpy.abs(y.asnumpy()).max())

    def hybrid_forward(self, F, x):
        return self.output(F.relu(self.hidden(x)) + 1)
