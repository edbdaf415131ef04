# detach, to with copy=True, requires_grad_.
def broadcast_parameters(params, devices):
    return [[p.detach().to(device, copy=True).requires_grad_() for p in params] for device in devices]
