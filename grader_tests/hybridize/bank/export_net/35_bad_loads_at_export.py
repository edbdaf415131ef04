# The block is made as soon as the files are there, and kept for load_net.
# breaks: 6
# kills: test_load_reads_the_files_as_they_are
# misconception: program-and-parameters
_blocks = {}


def _read(prefix):
    return gluon.SymbolBlock.imports(prefix + "-symbol.json", ["data"], prefix + "-0000.params")


def export_net(net, x, prefix):
    net.hybridize()
    net(x)
    net.export(prefix)
    _blocks[prefix] = _read(prefix)


def load_net(prefix):
    return _blocks.get(prefix) or _read(prefix)
