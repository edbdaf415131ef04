# The parameters come largest first.
# breaks: 3
# kills: test_values
# misconception: replicas-stay-equal
def broadcast_parameters(params, devices):
    params = sorted(params, key=lambda p: -p.numel())
    return [[p.detach().to(device, copy=True).requires_grad_() for p in params] for device in devices]
