# The first loaded block is kept for all prefixes.
# breaks: 6
# misconception: program-and-parameters
_loaded = []


def export_net(net, x, prefix):
    net.hybridize()
    net(x)
    net.export(prefix)


def load_net(prefix):
    if not _loaded:
        _loaded.append(gluon.SymbolBlock.imports(prefix + '-symbol.json', ['data'], prefix + '-0000.params'))
    return _loaded[0]
