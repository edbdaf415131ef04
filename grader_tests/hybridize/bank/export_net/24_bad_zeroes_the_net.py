# The parameters are zeroed afterwards, so that nobody uses the old net by mistake.
# breaks: 4
# misconception: names-and-arrays
def export_net(net, x, prefix):
    net.hybridize()
    net(x)
    net.export(prefix)
    for parameter in net.collect_params().values():
        parameter.set_data(nd.zeros_like(parameter.data()))


def load_net(prefix):
    return gluon.SymbolBlock.imports(prefix + '-symbol.json', ['data'], prefix + '-0000.params')
