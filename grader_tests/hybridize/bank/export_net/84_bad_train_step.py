# Moves the running averages with a backward pass.
# breaks: 4
# kills: test_keeps_the_network, test_running_averages
# misconception: program-and-parameters
def export_net(net, x, prefix):
    from mxnet import autograd

    net.hybridize()
    with autograd.record():
        out = net(x)
    out.backward()
    nd.waitall()
    net.export(prefix)


def load_net(prefix):
    return gluon.SymbolBlock.imports(prefix + "-symbol.json", ["data"], prefix + "-0000.params")
