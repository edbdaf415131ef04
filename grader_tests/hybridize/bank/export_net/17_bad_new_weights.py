# The network is initialized again before it is exported.
# breaks: 2
# misconception: program-and-parameters
def export_net(net, x, prefix):
    net.initialize(force_reinit=True)
    net.hybridize()
    net(x)
    net.export(prefix)


def load_net(prefix):
    return gluon.SymbolBlock.imports(prefix + '-symbol.json', ['data'], prefix + '-0000.params')
