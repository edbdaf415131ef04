# Loads with mx.model, exports with static memory.
import mxnet as mx


def export_net(net, x, prefix):
    net.hybridize(static_alloc=True)
    net(x.copy()).wait_to_read()
    net.export(prefix, epoch=0)


def load_net(prefix):
    symbol, arguments, auxiliary = mx.model.load_checkpoint(prefix, 0)
    block = gluon.SymbolBlock(symbol, [sym.var("data")])
    for name, parameter in block.collect_params().items():
        parameter._load_init({**arguments, **auxiliary}[name], mx.cpu())
    return block
