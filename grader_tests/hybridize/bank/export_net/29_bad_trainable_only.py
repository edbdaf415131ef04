# Only parameters with a gradient are saved: the averages of batch norm are missing.
# breaks: 2
# kills: test_running_averages
# misconception: program-and-parameters
def export_net(net, x, prefix):
    net(sym.var('data')).save(prefix + '-symbol.json')
    numbers = {'arg:' + name: p.data() for name, p in net.collect_params().items() if p.grad_req != 'null'}
    nd.save(prefix + '-0000.params', numbers)


def load_net(prefix):
    return gluon.SymbolBlock.imports(prefix + '-symbol.json', ['data'], prefix + '-0000.params')
