# The prefix is ignored: the book's name is written in.
# breaks: 1
# misconception: program-and-parameters
def export_net(net, x, prefix):
    net.hybridize()
    net(x)
    net.export('my_mlp')


def load_net(prefix):
    return gluon.SymbolBlock.imports('my_mlp-symbol.json', ['data'], 'my_mlp-0000.params')
