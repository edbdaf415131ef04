# Weights and biases are saved by their names: what a batch norm has is called otherwise.
# breaks: 2
# kills: test_running_averages
# misconception: program-and-parameters
def export_net(net, x, prefix):
    net(sym.var('data')).save(prefix + '-symbol.json')
    numbers = {'arg:' + name: p.data() for name, p in net.collect_params('.*weight|.*bias').items()}
    nd.save(prefix + '-0000.params', numbers)


def load_net(prefix):
    return gluon.SymbolBlock.imports(prefix + '-symbol.json', ['data'], prefix + '-0000.params')
