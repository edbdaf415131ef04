# A dictionary from prefixes to networks: empty in a new kernel.
# breaks: 6
# misconception: program-and-parameters
_nets = {}


def export_net(net, x, prefix):
    net.hybridize()
    net(x)
    net.export(prefix)
    _nets[prefix] = net


def load_net(prefix):
    return _nets[prefix]
