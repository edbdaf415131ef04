# The symbol and the dictionary of parameters are saved one by one; loaded with load_checkpoint.
import mxnet as mx


def export_net(net, x, prefix):
    program = net(sym.var('data'))
    program.save(prefix + '-symbol.json')
    numbers = {'arg:' + p.name: p.data() for p in net.collect_params().values()}
    nd.save(prefix + '-0000.params', numbers)


def load_net(prefix):
    symbol, arg_params, aux_params = mx.model.load_checkpoint(prefix, 0)
    block = gluon.SymbolBlock(symbol, mx.sym.var('data'))
    for name, parameter in block.collect_params().items():
        parameter._load_init(arg_params.get(name, aux_params.get(name)), mx.cpu())
    return block
