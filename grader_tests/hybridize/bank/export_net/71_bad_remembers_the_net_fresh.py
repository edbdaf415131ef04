# Writes the files, and remembers the net for load_net.
# breaks: 6
# kills: test_load_reads_the_files_as_they_are
# misconception: program-and-parameters
SAVED = {}


def export_net(net, x, prefix):
    net.hybridize()
    net(x)
    net.export(prefix)
    SAVED[prefix] = net


def load_net(prefix):
    if prefix in SAVED:
        block = nn.HybridSequential()
        block.add(SAVED[prefix])
        return block
    return gluon.SymbolBlock.imports(prefix + "-symbol.json", ["data"], prefix + "-0000.params")
