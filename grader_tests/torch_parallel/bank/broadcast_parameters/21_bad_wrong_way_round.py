# For each parameter a list of its copies.
# breaks: 1
# kills: test_values
# misconception: replicas-stay-equal
def broadcast_parameters(params, devices):
    return [[p.detach().to(device, copy=True).requires_grad_() for device in devices][::-1] for p in params][::-1]
