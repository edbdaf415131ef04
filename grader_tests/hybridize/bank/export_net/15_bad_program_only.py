# The program is saved without the numbers.
# breaks: 1
# misconception: program-and-parameters
def export_net(net, x, prefix):
    net(sym.var('data')).save(prefix + '-symbol.json')


def load_net(prefix):
    return gluon.SymbolBlock.imports(prefix + '-symbol.json', ['data'], prefix + '-0000.params')
