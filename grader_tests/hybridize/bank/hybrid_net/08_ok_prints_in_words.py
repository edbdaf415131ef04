# Prints by f-string and by format, and the mean of the hidden layer as what it is: an array or a Symbol.
class HybridNet(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.hidden = nn.Dense(10)
            self.output = nn.Dense(2)

    def hybrid_forward(self, F, x):
        print(f'x = {x}, F is {F.__name__}')
        h = F.where(self.hidden(x) > 0, self.hidden(x), F.zeros_like(self.hidden(x)))
        print('hidden {}, mean {}'.format(h, str(F.mean(h))))
        return self.output(h)
