# Copies for all devices but the first one, which is thought to hold the parameters for itself.
# breaks: 6
# kills: test_own_memory
# misconception: as-in-context
def broadcast_parameters(params, devices):
    return [[p.detach().to(d, copy=d != devices[0]).requires_grad_() for p in params] for d in devices]
