# The call is recorded: without a backward pass, no parameter changes.
from mxnet import autograd


def export_net(net, x, prefix):
    net.hybridize()
    with autograd.record():
        net(x)
    net.export(prefix)


def load_net(prefix):
    return gluon.SymbolBlock.imports(prefix + '-symbol.json', ['data'], prefix + '-0000.params')
