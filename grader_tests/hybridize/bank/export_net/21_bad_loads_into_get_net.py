# The numbers are loaded into the network of exercise 2, whatever was exported.
# breaks: 5
# misconception: program-and-parameters
def export_net(net, x, prefix):
    net.hybridize()
    net(x)
    net.export(prefix)
    net.save_parameters(prefix + '.numbers')


def load_net(prefix):
    net = get_net()
    net.load_parameters(prefix + '-0000.params')
    return net
