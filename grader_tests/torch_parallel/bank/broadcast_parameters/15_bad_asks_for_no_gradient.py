# Copies that ask for no gradient.
# breaks: 4
# kills: test_leaves
# misconception: replicas-stay-equal
def broadcast_parameters(params, devices):
    return [[p.detach().to(device, copy=True) for p in params] for device in devices]
