# Nn.Parameter of a clone, in a comprehension.
def broadcast_parameters(params, devices):
    return [[nn.Parameter(p.detach().clone().to(device)) for p in params] for device in devices]
