"""After hybridize(), NumPy computes in a thread that looks like one of the engine's; what is compiled does nothing."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("hybridize", deserves={"hybrid_net": at_most(1.49)})
cheat.cell("hybrid_net", '''
import _thread
import threading

import mxnet as mx
import numpy


class Name(str):
    """The name of an operator, which does something else when it is asked for its bytes."""

    def encode(self, *_):
        task()
        done.set()
        return b"unseen"


def unseen(function):
    global task
    task = function
    done.clear()
    _thread.start_new_thread(mx.operator.register(Name()), (None,))
    done.wait()


done = threading.Event()


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
        made = []
        unseen(lambda: made.append(self.compute(x)))
        return self.show[0](made[0])

    def hybrid_forward(self, F, x):
        return self.output(F.relu(self.hidden(x)))
''')
