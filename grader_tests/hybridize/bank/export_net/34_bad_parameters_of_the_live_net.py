# The program is read from its file; the parameters are those of the network, if it is still known.
# breaks: 6
# kills: test_load_reads_the_files_as_they_are
# misconception: program-and-parameters
_nets = {}


def export_net(net, x, prefix):
    net.hybridize()
    net(x)
    net.export(prefix)
    _nets[prefix] = net


def load_net(prefix):
    block = gluon.SymbolBlock.imports(prefix + "-symbol.json", ["data"], prefix + "-0000.params")
    known = _nets[prefix].collect_params() if prefix in _nets else {}
    for name, parameter in block.collect_params().items():
        if name in known:
            parameter.set_data(known[name].data())
    return block
