# Dropout between the layers.
# breaks: 3
# misconception: reads-the-task
class HybridNet(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(10, activation='relu')
        self.dropout = nn.Dropout(0.5)
        self.output = nn.Dense(2)

    def hybrid_forward(self, F, x):
        return self.output(self.dropout(self.hidden(x)))
