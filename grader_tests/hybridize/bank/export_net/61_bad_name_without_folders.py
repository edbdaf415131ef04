# Writes into the folder in which the notebook is, whatever folder the prefix names.
# breaks: 7
# misconception: program-and-parameters
def export_net(net, x, prefix):
    net.hybridize()
    net(x)
    net.export(os.path.basename(prefix))


def load_net(prefix):
    return gluon.SymbolBlock.imports(f"{prefix}-symbol.json", ["data"], f"{prefix}-0000.params")
