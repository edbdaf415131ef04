# The names of the inputs are a global variable that export_net sets: a new kernel has none.
# breaks: 6
# kills: test_load_reads_the_files_as_they_are
# misconception: program-and-parameters
input_names = []


def export_net(net, x, prefix):
    net.hybridize()
    net(x)
    net.export(prefix)
    input_names[:] = ["data"]


def load_net(prefix):
    return gluon.SymbolBlock.imports(f"{prefix}-symbol.json", input_names, f"{prefix}-0000.params")
