# The program is imported without its numbers, and initialized again.
# breaks: 5
# misconception: program-and-parameters
def export_net(net, x, prefix):
    net.hybridize()
    net(x)
    net.export(prefix)


def load_net(prefix):
    block = gluon.SymbolBlock.imports(prefix + '-symbol.json', ['data'])
    block.initialize()
    return block
