# Takes what follows the last dot of the prefix for the suffix of a file.
# breaks: 7
# kills: test_prefix
# misconception: reads-the-task
def export_net(net, x, prefix):
    net.hybridize()
    net(x)
    net.export(os.path.splitext(prefix)[0])


def load_net(prefix):
    return gluon.SymbolBlock.imports(f"{prefix}-symbol.json", ["data"], f"{prefix}-0000.params")
