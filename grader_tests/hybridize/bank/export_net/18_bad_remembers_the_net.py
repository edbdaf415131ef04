# load_net gives back the network that was exported last.
# breaks: 6
# misconception: program-and-parameters
_exported = None


def export_net(net, x, prefix):
    global _exported
    net.hybridize()
    net(x)
    net.export(prefix)
    _exported = net


def load_net(prefix):
    return _exported
