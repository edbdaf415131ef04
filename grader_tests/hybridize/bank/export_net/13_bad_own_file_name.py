# The prefix is ignored: the book's name is written in.
# breaks: the files belong to the prefix
# misconception: program-and-parameters
def export_net(net, x, prefix):
    net.hybridize()
    net(x)
    net.export('my_mlp')


def load_net(prefix):
    return gluon.SymbolBlock.imports('my_mlp-symbol.json', ['data'], 'my_mlp-0000.params')
