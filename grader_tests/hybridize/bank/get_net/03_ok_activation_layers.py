# Activations as layers of their own, with a prefix and Xavier's weights.
import mxnet as mx


def get_net():
    net = mx.gluon.nn.HybridSequential(prefix="mlp_")
    with net.name_scope():
        net.add(mx.gluon.nn.Dense(256))
        net.add(mx.gluon.nn.Activation("relu"))
        net.add(mx.gluon.nn.Dense(128))
        net.add(mx.gluon.nn.Activation("relu"))
        net.add(mx.gluon.nn.Dense(2))
    net.initialize(mx.init.Xavier())
    return net
