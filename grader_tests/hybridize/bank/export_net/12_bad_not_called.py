# The forward pass after hybridize() is forgotten.
# breaks: 3
# misconception: program-and-parameters
def export_net(net, x, prefix):
    net.hybridize()
    net.export(prefix)


def load_net(prefix):
    return gluon.SymbolBlock.imports(prefix + '-symbol.json', ['data'], prefix + '-0000.params')
