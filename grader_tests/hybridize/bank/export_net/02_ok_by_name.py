# Keyword arguments, the name of the input as a text, the context named; the files are listed.
import mxnet as mx


def export_net(net, x, prefix):
    net.hybridize(static_alloc=True, static_shape=True)
    output = net(x)
    output.wait_to_read()
    net.export(path=prefix, epoch=0)
    print(os.listdir(os.path.dirname(prefix) or '.'))


def load_net(prefix):
    files = {'symbol_file': f'{prefix}-symbol.json', 'param_file': '%s-%04d.params' % (prefix, 0)}
    return mx.gluon.nn.SymbolBlock.imports(input_names='data', ctx=mx.cpu(), **files)
