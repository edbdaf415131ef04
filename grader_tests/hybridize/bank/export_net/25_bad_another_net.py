# A new network from exercise 2 is exported instead of the one given.
# breaks: 2
# misconception: program-and-parameters
def export_net(net, x, prefix):
    net = get_net()
    net.initialize()
    net.hybridize()
    net(x)
    net.export(prefix)


def load_net(prefix):
    return gluon.SymbolBlock.imports(prefix + '-symbol.json', ['data'], prefix + '-0000.params')
