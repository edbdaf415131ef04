# A list for each parameter, and not for each device.
# breaks: 1
# kills: test_values
# misconception: replicas-stay-equal
def broadcast_parameters(params, devices):
    return [[p.detach().to(device, copy=True).requires_grad_() for device in devices] for p in params]
