# A network that is hybridized already is taken for exported.
# breaks: 3
# misconception: program-and-parameters
def export_net(net, x, prefix):
    if net._active:
        return
    net.hybridize()
    net(x)
    net.export(prefix)


def load_net(prefix):
    return gluon.SymbolBlock.imports(prefix + '-symbol.json', ['data'], prefix + '-0000.params')
