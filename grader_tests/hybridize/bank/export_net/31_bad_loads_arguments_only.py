# load_net takes only the entries that begin with arg:, so the averages of batch norm, aux:, are missing.
# breaks: 5
# kills: test_load
# misconception: program-and-parameters
import mxnet as mx


def export_net(net, x, prefix):
    net.hybridize()
    net(x)
    net.export(prefix)


def load_net(prefix):
    block = gluon.SymbolBlock.imports(prefix + '-symbol.json', ['data'])
    parameters = block.collect_params()
    for key, values in nd.load(prefix + '-0000.params').items():
        if key.startswith('arg:'):
            parameters[key[4:]]._load_init(values, mx.cpu())
    return block
