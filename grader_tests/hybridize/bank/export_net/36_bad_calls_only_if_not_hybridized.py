# Calls the net only if it is not hybridized yet: one that was hybridized after its last call has no program.
# breaks: 3
# kills: test_hybridized_before
# misconception: program-and-parameters
def export_net(net, x, prefix):
    if not net._active:
        net.hybridize()
        net(x)
    net.export(prefix)


def load_net(prefix):
    return gluon.SymbolBlock.imports(prefix + "-symbol.json", ["data"], prefix + "-0000.params")
