# Global constants, and a helper with the ends of the two names.
INPUTS, ENDS = ["data"], ("-symbol.json", "-0000.params")


def files(prefix):
    return [prefix + end for end in ENDS]


def export_net(net, x, prefix):
    net.hybridize()
    net(x)
    net.export(prefix)


def load_net(prefix):
    program, parameters = files(prefix)
    return gluon.SymbolBlock.imports(program, INPUTS, parameters)
