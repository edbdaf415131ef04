# hybrid_forward without the argument F, and relu of the layer.
# breaks: 2
# misconception: compiled-once
class HybridNet(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(10, activation='relu')
        self.output = nn.Dense(2)

    def hybrid_forward(self, x):
        return self.output(self.hidden(x))
