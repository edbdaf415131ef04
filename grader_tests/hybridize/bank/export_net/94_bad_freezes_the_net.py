# After the export, no parameter of the network has a gradient.
# breaks: 4
# kills: test_keeps_the_network
# misconception: names-and-arrays
def export_net(net, x, prefix):
    net.hybridize()
    net(x)
    net.export(prefix)
    net.collect_params().setattr('grad_req', 'null')


def load_net(prefix):
    return gluon.SymbolBlock.imports(f"{prefix}-symbol.json", ["data"], f"{prefix}-0000.params")
