# Runs the network only if it was not hybridized.
# breaks: 3
# misconception: program-and-parameters
def export_net(net, x, prefix):
    if not net._active:
        net.hybridize()
        net(x)
    net.export(prefix)


def load_net(prefix):
    return gluon.SymbolBlock.imports(prefix + "-symbol.json", ["data"], prefix + "-0000.params")
