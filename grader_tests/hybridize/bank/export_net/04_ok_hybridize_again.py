# Clears and hybridizes in any case; the loaded block is also hybridized.
def export_net(net, x, prefix):
    net.hybridize(active=False)
    net.hybridize()
    for _ in range(2):
        _ = net(x)
    return net.export(prefix)


def load_net(prefix):
    symbol_file, param_file = prefix + "-symbol.json", prefix + "-0000.params"
    for name in (symbol_file, param_file):
        if not os.path.exists(name):
            raise FileNotFoundError(name)
    block = gluon.SymbolBlock.imports(symbol_file, ["data"], param_file)
    block.hybridize()
    return block
