# load_net builds two dense layers again and takes only the numbers and the activation from the files.
# breaks: 5
# kills: test_load
# misconception: program-and-parameters
def export_net(net, x, prefix):
    net.hybridize()
    net(x)
    net.export(prefix)


def load_net(prefix):
    W1, b1, *more = nd.load(prefix + '-0000.params').values()
    with open(prefix + '-symbol.json') as file:
        program = file.read()
    activation = next(name for name in ('relu', 'tanh', 'sigmoid') if f'"{name}"' in program)
    net = nn.HybridSequential()
    net.add(nn.Dense(len(b1), in_units=W1.shape[1], activation=activation))
    for W, b in zip(more[::2], more[1::2]):
        last = b is more[-1]
        net.add(nn.Dense(len(b), in_units=W.shape[1], activation=None if last else activation))
    net.initialize()
    for parameter, values in zip(net.collect_params().values(), [W1, b1, *more]):
        parameter.set_data(values)
    return net
