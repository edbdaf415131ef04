# Writes the two files by hand: the graph of a Symbol, and the parameters with arg: and aux:.
import mxnet as mx


def export_net(net, x, prefix):
    graph = net(sym.var("data"))
    auxiliary = set(graph.list_auxiliary_states())
    graph.save(f"{prefix}-symbol.json")
    nd.save(f"{prefix}-0000.params", {
        ("aux:" if name in auxiliary else "arg:") + name: parameter.data()
        for name, parameter in net.collect_params().items()})


def load_net(prefix):
    return gluon.SymbolBlock.imports(symbol_file=prefix + "-symbol.json", input_names="data",
                                     param_file="%s-%04d.params" % (prefix, 0))
