# Made of HybridSequential, with no hybrid_forward of its own.
# breaks: 2
# misconception: compiled-once
class HybridNet(nn.HybridSequential):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.add(nn.Dense(10, activation='relu'), nn.Dense(2))
