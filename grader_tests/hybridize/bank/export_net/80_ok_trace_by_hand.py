# Traces with a Symbol and saves both files by hand.
def export_net(net, x, prefix):
    net(x)
    graph = net(sym.var("data"))
    graph.save(prefix + "-symbol.json")
    parameters = {p.name: p for p in net.collect_params().values()}
    auxiliary = set(graph.list_auxiliary_states())
    nd.save(prefix + "-0000.params", {
        ("aux:" if name in auxiliary else "arg:") + name: p.data()
        for name, p in parameters.items() if name in auxiliary or name in graph.list_arguments()})


def load_net(prefix):
    block = gluon.SymbolBlock(sym.load(f"{prefix}-symbol.json"), sym.var("data"))
    block.load_parameters(f"{prefix}-0000.params", allow_missing=False, ignore_extra=False)
    return block
