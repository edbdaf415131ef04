# relu belongs to the first layer, so F is not needed at all; no keyword arguments.
import mxnet as mx


class HybridNet(mx.gluon.HybridBlock):
    def __init__(self):
        super().__init__()
        with self.name_scope():
            self.first = mx.gluon.nn.Dense(10, activation="relu")
            self.second = mx.gluon.nn.Dense(2)

    def hybrid_forward(self, F, x):
        hidden = self.first(x)
        return self.second(hidden)
