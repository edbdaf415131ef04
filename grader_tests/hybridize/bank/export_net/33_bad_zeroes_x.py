# The call before the export needs no numbers, so x is set to 0.
# breaks: 4
# kills: test_keeps_the_network
# misconception: names-and-arrays
def export_net(net, x, prefix):
    x[:] = 0
    net.hybridize()
    net(x)
    net.export(prefix)


def load_net(prefix):
    return gluon.SymbolBlock.imports(prefix + '-symbol.json', ['data'], prefix + '-0000.params')
