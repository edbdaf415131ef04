# Makes the SymbolBlock by hand and loads its parameters.
def export_net(net, x, prefix):
    net.hybridize(static_alloc=False)
    net(x).wait_to_read()
    net.export(prefix, epoch=0)


def load_net(prefix):
    block = gluon.SymbolBlock(sym.load(prefix + "-symbol.json"), [sym.var("data")])
    block.collect_params().load(prefix + "-0000.params", cast_dtype=True, dtype_source="saved")
    return block
