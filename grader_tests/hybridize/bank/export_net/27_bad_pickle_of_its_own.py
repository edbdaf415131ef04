# The network's numbers go into files of the right names, in a format of our own.
# breaks: 2
# misconception: program-and-parameters
import pickle


def export_net(net, x, prefix):
    numbers = {p.name: p.data().asnumpy() for p in net.collect_params().values()}
    with open(prefix + '-0000.params', 'wb') as file:
        pickle.dump(numbers, file)
    net(sym.var('data')).save(prefix + '-symbol.json')


def load_net(prefix):
    block = gluon.SymbolBlock.imports(prefix + '-symbol.json', ['data'])
    with open(prefix + '-0000.params', 'rb') as file:
        numbers = pickle.load(file)
    for name, parameter in block.collect_params().items():
        parameter._load_init(nd.array(numbers[name]), None)
    return block
