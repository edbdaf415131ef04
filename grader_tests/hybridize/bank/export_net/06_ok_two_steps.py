# The graph first without numbers, then load_parameters.
def _names(prefix):
    return '{}-symbol.json'.format(prefix), '{}-0000.params'.format(prefix)


def export_net(net, x, prefix):
    if not net._active:
        net.hybridize()
    net(x[:1])
    net.export(prefix)


def load_net(prefix):
    program, numbers = _names(prefix)
    net = gluon.SymbolBlock(outputs=sym.load(program), inputs=sym.var('data'))
    net.load_parameters(numbers)
    return net
