# All replicas lie on the first device.
# breaks: each on its device
# kills: test_values
# misconception: replicas-stay-equal
def broadcast_parameters(params, devices):
    return [[p.detach().to(devices[0], copy=True).requires_grad_() for p in params] for device in devices]
