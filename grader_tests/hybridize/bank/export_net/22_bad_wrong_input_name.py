# The input of the program is called data, not x.
# breaks: 2
# misconception: program-and-parameters
def export_net(net, x, prefix):
    net.hybridize()
    net(x)
    net.export(prefix)


def load_net(prefix):
    return gluon.SymbolBlock.imports(prefix + '-symbol.json', ['x'], prefix + '-0000.params')
