# All replicas are on the first device.
# breaks: 2
# kills: test_values
# misconception: replicas-stay-equal
def broadcast_parameters(params, devices):
    return [[p.detach().to(devices[0], copy=True).requires_grad_() for p in params] for device in devices]
